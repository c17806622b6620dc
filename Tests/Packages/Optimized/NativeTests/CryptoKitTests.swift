import CryptoKit
import DataHandoff
import Foundation
import ReferralBridge
import Testing

/// The stand-in for CryptoKit, by published vectors.
struct CryptoKitTests {
    private func bytes(_ digits: String) -> Data {
        let digits = Array(digits.filter { !$0.isWhitespace })
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
    }

    @Test("X25519 as in RFC 7748, section 6.1")
    func agreement() throws {
        typealias Agreement = Curve25519.KeyAgreement
        let alice = try Agreement.PrivateKey(
            rawRepresentation: bytes("77076d0a7318a57d3c16c17251b26645 df4c2f87ebc0992ab177fba51db92c2a")
        )
        let bob = try Agreement.PrivateKey(
            rawRepresentation: bytes("5dab087e624a8a4b79e17f8b83800ee6 6f3bb1292618b6fd1c2f8b27ff88e0eb")
        )
        #expect(
            alice.publicKey.rawRepresentation
                == bytes("8520f0098930a754748b7ddcb43ef75a 0dbf3a0d26381af4eba4a98eaa9b4e6a")
        )
        #expect(
            bob.publicKey.rawRepresentation
                == bytes("de9edb7d7b7dc1b4d35b61c2ece43537 3f8343c85b78674dadfc7e146f882b4f")
        )
        let shared = bytes("4a5d9d5ba4ce2de1728e3bf480350f25 e07e21c947d19e3376f09b3c1e161742")
        for (one, other) in [(alice, bob), (bob, alice)] {
            let secret = try one.sharedSecretFromKeyAgreement(with: other.publicKey)
            #expect(secret.withUnsafeBytes { Data($0) } == shared)
        }
    }

    @Test("no secret is shared with a key of low order")
    func lowOrder() throws {
        let zero = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(count: 32))
        #expect(throws: CryptoKitError.self) {
            try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: zero)
        }
    }

    @Test("HKDF-SHA256 as in RFC 5869, test cases 1 and 3", arguments: [true, false])
    func derivation(hasSalt: Bool) {
        let secret = SharedSecret(testing: Data(repeating: 0x0b, count: 22))
        let key = secret.hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: hasSalt ? bytes("000102030405060708090a0b0c") : Data(),
            sharedInfo: hasSalt ? bytes("f0f1f2f3f4f5f6f7f8f9") : Data(),
            outputByteCount: 42
        )
        let expected =
            hasSalt
            ? "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            : "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        #expect(key.withUnsafeBytes { Data($0) } == bytes(expected))
    }

    @Test("ChaCha20-Poly1305 as in RFC 8439, section 2.8.2")
    func cipher() throws {
        let key = SymmetricKey(data: Data(0x80...0x9f))
        let header = bytes("50515253c0c1c2c3c4c5c6c7")
        let text =
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
            + "sunscreen would be it."
        let nonce = try ChaChaPoly.Nonce(data: bytes("070000004041424344454647"))
        let box = try ChaChaPoly.seal(Data(text.utf8), using: key, nonce: nonce, authenticating: header)
        let sealed = bytes(
            """
            d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b29
            05d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b
            6116 1ae10b594f09e26a7e902ecbd0600691
            """
        )
        #expect(box.combined == bytes("070000004041424344454647") + sealed)
        #expect(try ChaChaPoly.open(box, using: key, authenticating: header) == Data(text.utf8))
        #expect(throws: CryptoKitError.self) { try ChaChaPoly.open(box, using: key, authenticating: Data()) }
    }

    @Test("SHA-256, also in parts, and asked twice")
    func digest() {
        var hash = CryptoKit.SHA256()
        for part in ["a", "", "bc"] { Array(part.utf8).withUnsafeBytes { hash.update(bufferPointer: $0) } }
        let digest = bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Data(hash.finalize()) == digest)
        #expect(Data(hash.finalize()) == digest)
        var copy = hash
        [UInt8(0)].withUnsafeBytes { copy.update(bufferPointer: $0) }
        #expect(Data(hash.finalize()) == digest)
        #expect(Data(copy.finalize()) != digest)
    }

    @Test("what the sealer seals opens for the other key, and not with anything else changed")
    func sealer() throws {
        let sealer = CryptoKitSealer()
        let (liteKey, paidKey) = (sealer.makeKey(), sealer.makeKey())
        let (lite, litePublic) = (liteKey.privateKey, liteKey.publicKey)
        let (paid, paidPublic) = (paidKey.privateKey, paidKey.publicKey)
        let (data, info, header) = (Data("fourteen boards".utf8), Data("info".utf8), Data("RBH1".utf8))
        let box = try sealer.seal(data, privateKey: lite, peer: paidPublic, info: info, authenticating: header)
        func open(_ box: Data, _ key: Data, _ peer: Data, _ info: Data, _ header: Data) throws -> Data {
            try sealer.open(box, privateKey: key, peer: peer, info: info, authenticating: header)
        }
        #expect(try open(box, paid, litePublic, info, header) == data)
        #expect(throws: CryptoKitError.self) { try open(box, sealer.makeKey().privateKey, litePublic, info, header) }
        #expect(throws: CryptoKitError.self) { try open(box, paid, sealer.makeKey().publicKey, info, header) }
        #expect(throws: CryptoKitError.self) { try open(box, paid, litePublic, Data(), header) }
        #expect(throws: CryptoKitError.self) { try open(box, paid, litePublic, info, Data()) }
        #expect(throws: CryptoKitError.self) { try open(box.dropLast(), paid, litePublic, info, header) }
        #expect(throws: CryptoKitError.self) { try open(Data(), paid, litePublic, info, header) }
    }
}
