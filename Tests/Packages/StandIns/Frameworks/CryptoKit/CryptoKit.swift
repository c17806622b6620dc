// What the sources use of Apple's CryptoKit, with its names, on the system's libcrypto. Nothing but tests may use it.

import Crypto
public import Foundation

public enum CryptoKitError: Error {
    case incorrectKeySize
    case authenticationFailure
    case underlyingCoreCryptoError
}

// MARK: - SHA-256

public protocol HashFunction {}

public struct SHA256Digest: Sequence {
    let bytes: [UInt8]

    public func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
}

public struct SHA256: HashFunction {
    private final class Context {
        let pointer = EVP_MD_CTX_new()

        init() { EVP_DigestInit_ex(pointer, EVP_sha256(), nil) }

        init(_ other: Context) { EVP_MD_CTX_copy_ex(pointer, other.pointer) }

        deinit { EVP_MD_CTX_free(pointer) }
    }

    private var context = Context()

    public init() {}

    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&context) { context = Context(context) }
        EVP_DigestUpdate(context.pointer, bufferPointer.baseAddress, bufferPointer.count)
    }

    public func finalize() -> SHA256Digest {
        var bytes = [UInt8](repeating: 0, count: 32)
        withExtendedLifetime(Context(context)) { _ = EVP_DigestFinal_ex($0.pointer, &bytes, nil) }
        return SHA256Digest(bytes: bytes)
    }
}

// MARK: - Keys

public struct SymmetricKey: ContiguousBytes {
    let bytes: [UInt8]

    public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try bytes.withUnsafeBytes(body)
    }
}

public struct SharedSecret {
    let bytes: [UInt8]

    public func hkdfDerivedSymmetricKey<Hash: HashFunction>(
        using hash: Hash.Type,
        salt: some DataProtocol,
        sharedInfo: some DataProtocol,
        outputByteCount: Int
    ) -> SymmetricKey {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil)
        defer { EVP_PKEY_CTX_free(context) }
        let (salt, info) = (Array(salt), Array(sharedInfo))
        var output = [UInt8](repeating: 0, count: outputByteCount)
        var count = outputByteCount
        precondition(
            EVP_PKEY_derive_init(context) > 0 && EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) > 0
                && EVP_PKEY_CTX_set1_hkdf_salt(context, salt, Int32(salt.count)) > 0
                && EVP_PKEY_CTX_set1_hkdf_key(context, bytes, Int32(bytes.count)) > 0
                && EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) > 0
                && EVP_PKEY_derive(context, &output, &count) > 0
        )
        return SymmetricKey(bytes: output)
    }
}

/// The 32 bytes of a key.
private func keyBytes(_ bytes: some ContiguousBytes) throws -> Data {
    let data = bytes.withUnsafeBytes { Data($0) }
    guard data.count == 32 else { throw CryptoKitError.incorrectKeySize }
    return data
}

private func withKey<Value>(_ key: OpaquePointer?, _ body: (OpaquePointer?) throws -> Value) rethrows -> Value {
    defer { EVP_PKEY_free(key) }
    return try body(key)
}

private func publicKey(of privateKey: Data, _ kind: Int32) -> Data {
    var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
    _ = withKey(EVP_PKEY_new_raw_private_key(kind, nil, Array(privateKey), 32)) {
        EVP_PKEY_get_raw_public_key($0, &bytes, &count)
    }
    return Data(bytes)
}

public enum Curve25519 {
    public enum KeyAgreement {
        public struct PublicKey {
            public let rawRepresentation: Data

            public init(rawRepresentation: some ContiguousBytes) throws {
                self.rawRepresentation = try keyBytes(rawRepresentation)
            }

            fileprivate init(of key: PrivateKey) {
                rawRepresentation = CryptoKit.publicKey(of: key.rawRepresentation, EVP_PKEY_X25519)
            }
        }

        public struct PrivateKey {
            public let rawRepresentation: Data

            public init() { rawRepresentation = Data((0..<32).map { _ in UInt8.random(in: 0...255) }) }

            public init(rawRepresentation: some ContiguousBytes) throws {
                self.rawRepresentation = try keyBytes(rawRepresentation)
            }

            public var publicKey: PublicKey { PublicKey(of: self) }

            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                try withKey(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, Array(rawRepresentation), 32)) { key in
                    let share = Array(publicKeyShare.rawRepresentation)
                    return try withKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, share, 32)) { peer in
                        let context = EVP_PKEY_CTX_new(key, nil)
                        defer { EVP_PKEY_CTX_free(context) }
                        var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
                        guard EVP_PKEY_derive_init(context) > 0, EVP_PKEY_derive_set_peer(context, peer) > 0,
                            EVP_PKEY_derive(context, &bytes, &count) > 0
                        else { throw CryptoKitError.underlyingCoreCryptoError }
                        return SharedSecret(bytes: bytes)
                    }
                }
            }
        }
    }

    public enum Signing {
        public struct PublicKey: Sendable {
            public let rawRepresentation: Data

            public init(rawRepresentation: some ContiguousBytes) throws {
                self.rawRepresentation = try keyBytes(rawRepresentation)
            }

            /// Takes S + L for S, as WebKitGTK does. Whether Apple's does isn't documented.
            public func isValidSignature(_ signature: some DataProtocol, for data: some DataProtocol) -> Bool {
                let (signature, message) = (Self.reduced(Array(signature)), Array(data))
                let context = EVP_MD_CTX_new()
                defer { EVP_MD_CTX_free(context) }
                return withKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, Array(rawRepresentation), 32)) {
                    key in
                    EVP_DigestVerifyInit(context, nil, nil, nil, key) > 0
                        && EVP_DigestVerify(context, signature, signature.count, message, message.count) > 0
                }
            }

            /// The signature with S below L, the order of the group, or as it is if that needs more than one L.
            private static func reduced(_ signature: [UInt8]) -> [UInt8] {
                guard signature.count == 64 else { return signature }
                let order: [UInt8] =
                    [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
                    + [UInt8](repeating: 0, count: 15) + [0x10]
                var (difference, borrow) = (signature, 0)
                for index in 0..<32 {
                    let digit = Int(signature[32 + index]) - Int(order[index]) - borrow
                    (difference[32 + index], borrow) = (UInt8(truncatingIfNeeded: digit), digit < 0 ? 1 : 0)
                }
                return borrow == 0 ? difference : signature
            }
        }

        /// Its signatures are always the same, while Apple's have a random part.
        public struct PrivateKey: Sendable {
            private let rawRepresentation: Data
            public let publicKey: PublicKey

            public init(rawRepresentation: some ContiguousBytes) throws {
                self.rawRepresentation = try keyBytes(rawRepresentation)
                publicKey = try PublicKey(
                    rawRepresentation: CryptoKit.publicKey(of: self.rawRepresentation, EVP_PKEY_ED25519)
                )
            }

            public func signature(for data: some DataProtocol) throws -> Data {
                let message = Array(data)
                var (signature, count) = ([UInt8](repeating: 0, count: 64), 64)
                let context = EVP_MD_CTX_new()
                defer { EVP_MD_CTX_free(context) }
                try withKey(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, Array(rawRepresentation), 32)) { key in
                    guard EVP_DigestSignInit(context, nil, nil, nil, key) > 0,
                        EVP_DigestSign(context, &signature, &count, message, message.count) > 0
                    else { throw CryptoKitError.authenticationFailure }
                }
                return Data(signature)
            }
        }
    }
}

// MARK: - ChaCha20-Poly1305

public enum ChaChaPoly {
    /// The nonce, the ciphertext and the tag.
    public struct SealedBox {
        public let combined: Data

        public init(combined: some DataProtocol) throws {
            self.combined = Data(combined)
            guard self.combined.count >= 28 else { throw CryptoKitError.incorrectKeySize }
        }
    }

    public static func seal(
        _ message: some DataProtocol,
        using key: SymmetricKey,
        authenticating authenticatedData: some DataProtocol
    ) throws -> SealedBox {
        let (message, header) = (Array(message), Array(authenticatedData))
        let nonce = (0..<12).map { _ in UInt8.random(in: 0...255) }
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var sealed = [UInt8](repeating: 0, count: message.count)
        var tag = [UInt8](repeating: 0, count: 16)
        var count: Int32 = 0
        guard EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key.bytes, nonce) > 0,
            EVP_EncryptUpdate(context, nil, &count, header, Int32(header.count)) > 0,
            EVP_EncryptUpdate(context, &sealed, &count, message, Int32(message.count)) > 0,
            EVP_EncryptFinal_ex(context, &tag, &count) > 0,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) > 0
        else { throw CryptoKitError.underlyingCoreCryptoError }
        return try SealedBox(combined: nonce + sealed + tag)
    }

    public static func open(
        _ sealedBox: SealedBox,
        using key: SymmetricKey,
        authenticating authenticatedData: some DataProtocol
    ) throws -> Data {
        let (box, header) = (Array(sealedBox.combined), Array(authenticatedData))
        let (nonce, sealed) = (Array(box.prefix(12)), Array(box.dropFirst(12).dropLast(16)))
        var tag = Array(box.suffix(16))
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var message = [UInt8](repeating: 0, count: sealed.count)
        var (count, end): (Int32, [UInt8]) = (0, [UInt8](repeating: 0, count: 16))
        guard EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key.bytes, nonce) > 0,
            EVP_DecryptUpdate(context, nil, &count, header, Int32(header.count)) > 0,
            EVP_DecryptUpdate(context, &message, &count, sealed, Int32(sealed.count)) > 0,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, &tag) > 0,
            EVP_DecryptFinal_ex(context, &end, &count) > 0
        else { throw CryptoKitError.authenticationFailure }
        return Data(message)
    }
}
