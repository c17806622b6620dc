#if canImport(CryptoKit)
import CryptoKit
import Foundation

/// Seals with CryptoKit's X25519, HKDF-SHA256 and ChaCha20-Poly1305.
struct CryptoKitSealer: HandoffSealer {
    func makeKey() -> (privateKey: Data, publicKey: Data) {
        let key = Curve25519.KeyAgreement.PrivateKey()
        return (key.rawRepresentation, key.publicKey.rawRepresentation)
    }

    func seal(_ data: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data {
        let key = try key(privateKey, peer, info)
        return try ChaChaPoly.seal(data, using: key, authenticating: header).combined
    }

    func open(_ box: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data {
        let box = try ChaChaPoly.SealedBox(combined: box)
        return try ChaChaPoly.open(box, using: key(privateKey, peer, info), authenticating: header)
    }

    func proof(privateKey: Data, peer: Data, info: Data) throws -> Data {
        try key(privateKey, peer, info, length: Exchange.proofLength).withUnsafeBytes { Data($0) }
    }

    private func key(_ privateKey: Data, _ peer: Data, _ info: Data, length: Int = 32) throws -> SymmetricKey {
        let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: peer)
        return try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
            .sharedSecretFromKeyAgreement(with: peer)
            .hkdfDerivedSymmetricKey(using: SHA256.self, salt: Data(), sharedInfo: info, outputByteCount: length)
    }
}

extension HandoffSealing {
    /// The sealer of the system.
    static var systemSealer: (any HandoffSealer)? { CryptoKitSealer() }
}
#endif
