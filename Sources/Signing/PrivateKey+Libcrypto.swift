#if !canImport(CryptoKit)
package import ReferralBridge

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An Ed25519 private key, in OpenSSL's libcrypto.
package final class PrivateKey: @unchecked Sendable {
    private let libcrypto: Libcrypto
    private let key: OpaquePointer

    package let publicKey: Data

    /// Creates a key from its 32 bytes.
    package init(_ bytes: UnsafeRawBufferPointer) throws(SigningError) {
        let libcrypto = try Libcrypto.loaded.get()
        let key = libcrypto.newPrivateKey(Libcrypto.ed25519, nil, bytes.baseAddress, bytes.count)
        guard let key else { throw .failed }
        (self.libcrypto, self.key) = (libcrypto, key)
        publicKey = Self.data(count: 32) { libcrypto.publicKey(key, $0, $1) } ?? Data()
    }

    // libcrypto erases the key's memory.
    deinit { libcrypto.freeKey(key) }

    /// Signs a message.
    package func signature(for message: Data) throws(SigningError) -> Data {
        let signature = libcrypto.withContext { context in
            guard libcrypto.beginSigning(context, nil, nil, nil, key) == 1 else { return nil as Data? }
            return message.withUnsafeBytes { message in
                Self.data(count: 64) { libcrypto.sign(context, $0, $1, message.baseAddress, message.count) }
            }
        }
        guard let signature else { throw .failed }
        return signature
    }

    /// The bytes that a function of libcrypto writes, which answers 1 if it has written all of them.
    private static func data(
        count: Int,
        _ write: (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>) -> Int32
    ) -> Data? {
        var (data, written) = (Data(count: count), count)
        let status = data.withUnsafeMutableBytes { write($0.baseAddress, &written) }
        return status == 1 && written == count ? data : nil
    }
}

/// What checks signatures on this system.
package func systemVerifier() throws(SigningError) -> any SignatureVerifier {
    LibcryptoVerifier(libcrypto: try Libcrypto.loaded.get())
}

/// Checks signatures with OpenSSL's libcrypto.
private struct LibcryptoVerifier: SignatureVerifier {
    let libcrypto: Libcrypto

    func isValid(_ signature: Data, for message: Data, publicKey: Data) -> Bool {
        let key = publicKey.withUnsafeBytes {
            libcrypto.newPublicKey(Libcrypto.ed25519, nil, $0.baseAddress, $0.count)
        }
        guard let key else { return false }
        defer { libcrypto.freeKey(key) }
        return libcrypto.withContext { context in
            guard libcrypto.beginVerifying(context, nil, nil, nil, key) == 1 else { return false }
            return signature.withUnsafeBytes { signature in
                message.withUnsafeBytes { message in
                    libcrypto.verify(
                        context,
                        signature.baseAddress,
                        signature.count,
                        message.baseAddress,
                        message.count
                    ) == 1
                }
            }
        }
    }
}
#endif
