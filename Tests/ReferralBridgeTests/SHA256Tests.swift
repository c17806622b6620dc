import Foundation
import ReferralBridge
import Testing

struct SHA256Tests {
    private func hexadecimal(_ digest: [UInt8]) -> String {
        digest.map { String(format: "%02x", $0) }.joined()
    }

    /// RFC 6234, and NIST's "SHA Examples" and "Secure Hashing" test vectors.
    @Test(
        "the published vectors",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
            ),
            ("\u{19}", 1, "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4"),
        ]
    )
    func vectors(_ text: String, count: Int, digest: String) {
        #expect(hexadecimal(SHA256.digest(String(repeating: text, count: count).utf8)) == digest)
    }
}
