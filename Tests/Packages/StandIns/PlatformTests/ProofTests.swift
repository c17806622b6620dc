import CryptoKit
import Foundation
import Testing

@testable import DataHandoff

/// What CryptoKit seals, and the proof of a receipt.
struct ProofTests {
    private typealias Key = (privateKey: Data, publicKey: Data)

    /// CryptoKit's sealer, with one key.
    private struct FixedKey: HandoffSealer {
        let key: Key
        private let sealer = CryptoKitSealer()

        init(key: Key) { self.key = key }

        func makeKey() -> (privateKey: Data, publicKey: Data) { key }

        func seal(_ data: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data {
            try sealer.seal(data, privateKey: privateKey, peer: peer, info: info, authenticating: header)
        }

        func open(_ box: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data {
            try sealer.open(box, privateKey: privateKey, peer: peer, info: info, authenticating: header)
        }

        func proof(privateKey: Data, peer: Data, info: Data) throws -> Data {
            try sealer.proof(privateKey: privateKey, peer: peer, info: info)
        }
    }

    private func bytes(_ digits: String) -> Data {
        let digits = Array(digits)
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
    }

    /// The keys are those of RFC 7748, section 6.1: Alice asks, and Bob answers.
    private var alice: Key {
        (
            privateKey: bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"),
            publicKey: bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        )
    }

    private var bob: Key {
        (
            privateKey: bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"),
            publicKey: bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        )
    }

    /// Python's `cryptography` 50.0.2 has computed the proof: the first 16 bytes of `HKDF(SHA256(), 16, None, info)`, for the
    /// secret of `X25519PrivateKey.exchange`. The info is each of these after its length in two bytes, big-endian: `RBR1`, the
    /// bytes 0 to 15, Alice's and Bob's public key, both bundle identifiers, and the SHA-256 of `manifest`.
    @Test("both apps derive the proof that the reference derives")
    func reference() throws {
        let route = HandoffRoute(
            from: "com.example.trestle.lite",
            to: "com.example.trestle",
            scheme: "trestle",
            returnScheme: "trestle-lite"
        )
        let nonce = Data(0...15)
        let digest = "05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f"
        let sender = try Exchange(answering: nonce, of: alice.publicKey, route, FixedKey(key: bob))
        let header = Data("RBH1".utf8) + [0, 1]
        let sealed = header + (try sender.seal(Data("body".utf8), header: header))
        let receiver = Exchange(opening: sealed, nonce, alice, route, CryptoKitSealer())
        #expect(try receiver.open(sealed.dropFirst(6), header: header) == Data("body".utf8))
        let proof = bytes("ca83026d25883f07abf8ff10f17052e8")
        #expect(try receiver.proof(of: digest) == proof)
        #expect(try sender.proof(of: digest) == proof)
        // It is of this one package, and of no other use of the secret.
        #expect(try receiver.proof(of: "1" + digest.dropFirst()) != proof)
        let other = Exchange(opening: sealed, Data(1...16), alice, route, CryptoKitSealer())
        #expect(try other.proof(of: digest) != proof)
    }

    @Test("what the sealer seals opens for the other key, and not with anything else changed")
    func sealer() throws {
        let (sealer, info, header) = (CryptoKitSealer(), Data("info".utf8), Data("RBH1".utf8))
        let data = Data("fourteen boards".utf8)
        let (alice, bob) = (alice, bob)
        let box = try sealer.seal(
            data,
            privateKey: alice.privateKey,
            peer: bob.publicKey,
            info: info,
            authenticating: header
        )
        func open(_ box: Data, _ key: Data, _ peer: Data, _ info: Data, _ header: Data) throws -> Data {
            try sealer.open(box, privateKey: key, peer: peer, info: info, authenticating: header)
        }
        let (key, peer, other) = (bob.privateKey, alice.publicKey, sealer.makeKey())
        #expect(try open(box, key, peer, info, header) == data)
        #expect(throws: CryptoKitError.self) { try open(box, other.privateKey, peer, info, header) }
        #expect(throws: CryptoKitError.self) { try open(box, key, other.publicKey, info, header) }
        #expect(throws: CryptoKitError.self) { try open(box, key, peer, Data(), header) }
        #expect(throws: CryptoKitError.self) { try open(box, key, peer, info, Data()) }
        #expect(throws: CryptoKitError.self) { try open(box.dropLast(), key, peer, info, header) }
        #expect(throws: CryptoKitError.self) { try open(Data(), key, peer, info, header) }
    }
}
