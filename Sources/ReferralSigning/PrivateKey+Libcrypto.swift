#if !canImport(CryptoKit)
package import ReferralBasics
package import ReferralFoundation

/// An Ed25519 private key, in OpenSSL's libcrypto.
package final class PrivateKey: Sendable {
    private let context: Libcrypto.Context

    package let publicKey: PublicKey

    /// Creates a key from its 32 bytes.
    package init(_ bytes: [UInt8]) throws(SigningError) {
        let libcrypto = try Libcrypto.loaded.get()
        let key = libcrypto.newPrivateKey(Libcrypto.ed25519, nil, bytes, bytes.count)
        // The context retains the key. When both are freed, libcrypto erases the key's memory.
        defer { libcrypto.freeKey(key) }
        guard let key, let context = Libcrypto.Context(libcrypto, key, libcrypto.beginSigning),
            let publicKey = Self.data(count: 32, { libcrypto.publicKey(key, $0, $1) }).flatMap(
                PublicKey.init(rawRepresentation:)
            )
        else { throw .noEd25519 }
        self.context = context
        self.publicKey = publicKey
    }

    /// Signs a message.
    package func signature(for message: Data) throws(SigningError) -> Data {
        let signature = context.withCopy { libcrypto, context in
            message.withUnsafeBytes { message in
                Self.data(count: 64) { libcrypto.sign(context, $0, $1, message.baseAddress, message.count) }
            }
        }
        guard let signature else { throw .failed }
        return signature
    }

    /// The bytes that a function of libcrypto writes. It returns 1 if it has written all of them.
    private static func data(
        count: Int,
        _ write: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> Int32
    ) -> Data? {
        var (data, written) = (Data(count: count), count)
        let status = data.withUnsafeMutableBytes { write($0.baseAddress, &written) }
        return status == 1 && written == count ? data : nil
    }
}

/// Makes this system's verifier, which is fastest for these public keys.
package func makeVerifier(for publicKeys: [PublicKey] = []) throws(SigningError) -> any SignatureVerifier {
    try LibcryptoVerifier(try Libcrypto.loaded.get(), for: publicKeys)
}

/// Checks signatures with OpenSSL's libcrypto.
private struct LibcryptoVerifier: SignatureVerifier {
    private let libcrypto: Libcrypto
    private let contexts: [PublicKey: Libcrypto.Context]

    init(_ libcrypto: Libcrypto, for publicKeys: [PublicKey]) throws(SigningError) {
        self.libcrypto = libcrypto
        var contexts: [PublicKey: Libcrypto.Context] = [:]
        for key in publicKeys {
            // Any 32 bytes make a context, even if they aren't a key. If this fails, the signature hasn't been judged.
            guard let context = Self.context(libcrypto, key) else { throw .noEd25519 }
            contexts[key] = context
        }
        self.contexts = contexts
    }

    private static func context(_ libcrypto: Libcrypto, _ publicKey: PublicKey) -> Libcrypto.Context? {
        let key = publicKey.rawRepresentation.withUnsafeBytes {
            libcrypto.newPublicKey(Libcrypto.ed25519, nil, $0.baseAddress, $0.count)
        }
        defer { libcrypto.freeKey(key) }
        return key.flatMap { Libcrypto.Context(libcrypto, $0, libcrypto.beginVerifying) }
    }

    func isValid(_ signature: Data, for message: Data, publicKey: PublicKey) -> Bool {
        guard let context = contexts[publicKey] ?? Self.context(libcrypto, publicKey) else { return false }
        let status = context.withCopy { libcrypto, context in
            signature.withUnsafeBytes { signature in
                message.withUnsafeBytes { message in
                    let (signatureStart, messageStart) = (signature.baseAddress, message.baseAddress)
                    return libcrypto.verify(context, signatureStart, signature.count, messageStart, message.count)
                }
            }
        }
        return status == 1
    }
}
#endif
