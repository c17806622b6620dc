import Foundation
import ReferralBridge

#if canImport(CryptoKit)
import CryptoKit

/// An Ed25519 key.
struct SigningKey {
    private let key = Curve25519.Signing.PrivateKey()

    var publicKey: Data { key.publicKey.rawRepresentation }

    func signature(for message: Data) throws -> Data { try key.signature(for: message) }

    static let verifier: any SignatureVerifier = CryptoKitVerifier()
}
#else
/// An Ed25519 key, in the system's libcrypto.
struct SigningKey: @unchecked Sendable {
    private let key: OpaquePointer?

    init() {
        key = LibCrypto.newPrivateKey(LibCrypto.ed25519, nil, (0..<32).map { _ in UInt8.random(in: 0...255) }, 32)
    }

    var publicKey: Data {
        var (bytes, count) = ([UInt8](repeating: 0, count: 32), 32)
        precondition(LibCrypto.publicKey(key, &bytes, &count) == 1 && count == 32)
        return Data(bytes)
    }

    func signature(for message: Data) throws -> Data {
        let context = LibCrypto.newContext()
        defer { LibCrypto.freeContext(context) }
        var (bytes, count) = ([UInt8](repeating: 0, count: 64), 64)
        precondition(LibCrypto.beginSigning(context, nil, nil, nil, key) == 1)
        precondition(LibCrypto.sign(context, &bytes, &count, Array(message), message.count) == 1)
        return Data(bytes)
    }

    static let verifier: any SignatureVerifier = LibCryptoVerifier()
}

private struct LibCryptoVerifier: SignatureVerifier {
    func isValid(_ signature: Data, for message: Data, publicKey: Data) -> Bool {
        guard let key = LibCrypto.newPublicKey(LibCrypto.ed25519, nil, Array(publicKey), publicKey.count) else {
            return false
        }
        defer { LibCrypto.freeKey(key) }
        let context = LibCrypto.newContext()
        defer { LibCrypto.freeContext(context) }
        return LibCrypto.beginVerifying(context, nil, nil, nil, key) == 1
            && LibCrypto.verify(context, Array(signature), signature.count, Array(message), message.count) == 1
    }
}

/// The functions of OpenSSL's libcrypto that the key needs.
private enum LibCrypto {
    typealias Bytes = UnsafePointer<UInt8>
    typealias NewKey = @convention(c) (Int32, OpaquePointer?, Bytes, Int) -> OpaquePointer?
    typealias Begin =
        @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
    typealias Output = UnsafeMutablePointer<UInt8>

    static let ed25519: Int32 = 1087

    static let newPrivateKey = function("EVP_PKEY_new_raw_private_key", as: NewKey.self)
    static let newPublicKey = function("EVP_PKEY_new_raw_public_key", as: NewKey.self)
    static let publicKey = function(
        "EVP_PKEY_get_raw_public_key",
        as: (@convention(c) (OpaquePointer?, Output, UnsafeMutablePointer<Int>) -> Int32).self
    )
    static let freeKey = function("EVP_PKEY_free", as: (@convention(c) (OpaquePointer?) -> Void).self)
    static let newContext = function("EVP_MD_CTX_new", as: (@convention(c) () -> OpaquePointer?).self)
    static let freeContext = function("EVP_MD_CTX_free", as: (@convention(c) (OpaquePointer?) -> Void).self)
    static let beginSigning = function("EVP_DigestSignInit", as: Begin.self)
    static let sign = function(
        "EVP_DigestSign",
        as: (@convention(c) (OpaquePointer?, Output, UnsafeMutablePointer<Int>, Bytes, Int) -> Int32).self
    )
    static let beginVerifying = function("EVP_DigestVerifyInit", as: Begin.self)
    static let verify = function(
        "EVP_DigestVerify",
        as: (@convention(c) (OpaquePointer?, Bytes, Int, Bytes, Int) -> Int32).self
    )

    private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
        guard let library = dlopen("libcrypto.so.3", RTLD_NOW), let address = dlsym(library, name) else {
            fatalError("OpenSSL's libcrypto.so.3 is missing, or has no \(name)")
        }
        return unsafeBitCast(address, to: type)
    }
}
#endif
