import Foundation
import ReferralBasics
import ReferralSigning
import Testing

/// The files of private keys; what the command says of them is tested with the command.
struct PrivateKeyFileTests {
    private let good = Data(
        """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIPsGoIIuEFA8RR5mMvn2GLDJZZaHr8t7epRVIbm33kz6
        -----END PRIVATE KEY-----

        """.utf8
    )
    private let publicKey: PublicKey = "nCNWIVc22bR7mbMg+VAMokGuHQtjgw7v3DH5Inwk1Go="

    private func read(_ text: Data) throws -> PublicKey {
        try PrivateKey(PrivateKeyFile.bytes(in: [UInt8](text))).publicKey
    }

    /// A file with this DER.
    private func file(_ der: Data) -> Data {
        Data("-----BEGIN PRIVATE KEY-----\n\(der.base64EncodedString())\n-----END PRIVATE KEY-----\n".utf8)
    }

    private func bytes(_ bytes: UInt8...) -> Data { Data(bytes) }

    /// The DER in front of the 32 bytes, with these lengths.
    private func key(_ whole: UInt8, _ outer: UInt8, _ inner: UInt8) -> Data {
        Data([0x30, whole, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, outer, 0x04, inner])
    }

    @Test("a key that is written is read, and every one is another")
    func roundTrip() throws {
        var keys: Set<PublicKey> = []
        for _ in 0..<20 {
            let (key, text) = try PrivateKeyFile.newKey()
            #expect(text.utf8.count == 119)
            #expect(try read(Data(text.utf8)) == key.publicKey)
            keys.insert(key.publicKey)
        }
        #expect(keys.count == 20)
        #expect(try read(good) == publicKey)
    }

    @Test(
        "a text that is cut off anywhere is an error, and so is one with any byte changed, unless it says another key"
    )
    func damage() throws {
        // The line end at the end may be missing.
        for length in 0..<(good.count - 1) {
            #expect(throws: PrivateKeyFile.Problem.self) { try read(good.prefix(length)) }
        }
        var others = 0
        for index in good.indices {
            for bit in 0..<8 {
                var text = good
                text[index] ^= 1 << bit
                guard let key = try? read(text) else { continue }
                #expect(key.rawRepresentation.count == 32)
                others += key == publicKey ? 0 : 1
            }
        }
        // Digits of the 32 bytes that became other digits.
        #expect(others > 100)
    }

    @Test("the parts of a key have the lengths that they say; DER's long form is refused, and openssl converts it")
    func lengths() throws {
        let der = try #require(
            Data(base64Encoded: "MC4CAQAwBQYDK2VwBCIEIPsGoIIuEFA8RR5mMvn2GLDJZZaHr8t7epRVIbm33kz6")
        )
        let (inner, seed) = (der.dropFirst(2), der.suffix(32))
        for length in [bytes(0x80), bytes(0x81, 0x2E), bytes(0x82, 0x00, 0x2E), bytes(0x83, 0x00, 0x00, 0x2E)] {
            #expect(throws: PrivateKeyFile.Problem.otherForm) { try read(file(bytes(0x30) + length + inner)) }
        }
        let wrongs: [Data] = [
            bytes(0x30, 0x81), bytes(0x30), bytes(0x30, 0x2D) + inner, bytes(0x30, 0x2F) + inner, der + bytes(0),
            // 31 bytes, 33 bytes, and something after the 32.
            key(0x2D, 0x21, 0x1F) + seed.dropLast(), key(0x2F, 0x23, 0x21) + seed + bytes(0),
            key(0x2F, 0x23, 0x20) + seed + bytes(0), Data(),
        ]
        for wrong in wrongs {
            #expect(throws: PrivateKeyFile.Problem.self) { try read(file(wrong)) }
        }
    }
}
