import Foundation
import ReferralBasics
import ReferralSigning
import Testing

/// A signature and whether it is valid, in hexadecimal.
struct Ed25519Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let privateKey: String?
    let publicKey, message, signature: String
    let valid: Bool

    var testDescription: String { name }

    /// Those of RFC 8032 and of Project Wycheproof.
    static func published() throws -> [Ed25519Case] {
        struct File: Decodable {
            let cases: [Ed25519Case]
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ed25519.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).cases
    }

    /// The file `sign.input` of PyPI's `cryptography-vectors`: 1,024 lines of private and public key, public key, message, and
    /// signature and message.
    static let signInput = ProcessInfo.processInfo.environment["ED25519_SIGN_INPUT"] ?? ""
}

/// Ed25519 of the system, by public test vectors.
struct Ed25519Tests {
    @Test("the cases of RFC 8032 and of Project Wycheproof", arguments: try Ed25519Case.published())
    func published(_ vector: Ed25519Case) throws { try check(vector) }

    @Test("the cases of cryptography-vectors", .enabled(if: !Ed25519Case.signInput.isEmpty))
    func signInput() throws {
        let file = URL(filePath: Ed25519Case.signInput)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1_024)
        for line in lines {
            let parts = line.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
            try check(
                Ed25519Case(
                    name: "\(parts[2].count / 2) bytes",
                    privateKey: String(parts[0].prefix(64)),
                    publicKey: parts[1],
                    message: parts[2],
                    signature: String(parts[3].prefix(128)),
                    valid: true
                )
            )
        }
    }

    @Test("a signature of another length is none")
    func lengths() throws {
        let verifier = try makeVerifier()
        let vector = try #require(try Ed25519Case.published().first { $0.privateKey != nil })
        let key = try #require(PublicKey(rawRepresentation: bytes(vector.publicKey)))
        let (message, signature) = (bytes(vector.message), bytes(vector.signature))
        for wrong in [Data(), signature.dropLast(), signature + [0]] {
            #expect(!verifier.isValid(wrong, for: message, publicKey: key))
        }
        #expect(!verifier.isValid(signature, for: message + [0], publicKey: key))
    }

    private func check(_ vector: Ed25519Case) throws {
        let publicKey = try #require(PublicKey(rawRepresentation: bytes(vector.publicKey)))
        let message = bytes(vector.message)
        let verifier = try makeVerifier()
        let isValid = verifier.isValid(bytes(vector.signature), for: message, publicKey: publicKey)
        #expect(isValid == vector.valid, "\(vector.name)")
        guard let text = vector.privateKey else { return }
        let key = try PrivateKey([UInt8](bytes(text)))
        #expect(key.publicKey == publicKey, "\(vector.name)")
        let signature = try key.signature(for: message)
        #expect(verifier.isValid(signature, for: message, publicKey: publicKey), "\(vector.name)")
        #if !canImport(CryptoKit)
        // CryptoKit signs with a random part.
        #expect(signature == bytes(vector.signature), "\(vector.name)")
        #endif
    }

    private func bytes(_ hexadecimal: String) -> Data {
        let digits = hexadecimal.utf8.compactMap(ASCII.hexadecimalValue)
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
