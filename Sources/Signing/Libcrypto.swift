#if !canImport(CryptoKit)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The functions of OpenSSL's libcrypto, which is opened when the first signature needs it: a command that signs nothing starts as
/// fast without, and doesn't need it.
struct Libcrypto: Sendable {
    /// The number of OpenSSL for Ed25519, `NID_ED25519`.
    static let ed25519: Int32 = 1087

    /// 3 since OpenSSL 3.0, 4 since 4.0.
    private static let names = ["libcrypto.so.3", "libcrypto.so.4"]

    typealias Bytes = UnsafeRawPointer?
    typealias Output = UnsafeMutableRawPointer?
    typealias Object = OpaquePointer?

    let newPrivateKey, newPublicKey: @convention(c) (Int32, Object, Bytes, Int) -> Object
    let publicKey: @convention(c) (Object, Output, UnsafeMutablePointer<Int>) -> Int32
    let freeKey, freeContext: @convention(c) (Object) -> Void
    private let newContext: @convention(c) () -> Object
    let beginSigning, beginVerifying: @convention(c) (Object, Object, Object, Object, Object) -> Int32
    let sign: @convention(c) (Object, Output, UnsafeMutablePointer<Int>, Bytes, Int) -> Int32
    let verify: @convention(c) (Object, Bytes, Int, Bytes, Int) -> Int32

    static let loaded = Result { () throws(SigningError) in try Libcrypto() }

    private init() throws(SigningError) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { throw .unavailable }
        func function<Function>(_ name: String) throws(SigningError) -> Function {
            guard let address = dlsym(library, name) else { throw .unavailable }
            return unsafeBitCast(address, to: Function.self)
        }
        newPrivateKey = try function("EVP_PKEY_new_raw_private_key")
        newPublicKey = try function("EVP_PKEY_new_raw_public_key")
        publicKey = try function("EVP_PKEY_get_raw_public_key")
        freeKey = try function("EVP_PKEY_free")
        newContext = try function("EVP_MD_CTX_new")
        freeContext = try function("EVP_MD_CTX_free")
        beginSigning = try function("EVP_DigestSignInit")
        beginVerifying = try function("EVP_DigestVerifyInit")
        sign = try function("EVP_DigestSign")
        verify = try function("EVP_DigestVerify")
    }

    /// Runs the body with a new context. Without memory there is none, and every function answers that it failed.
    func withContext<Value>(_ body: (Object) -> Value) -> Value {
        let context = newContext()
        defer { freeContext(context) }
        return body(context)
    }
}
#endif
