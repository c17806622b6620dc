#if !canImport(CryptoKit)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The functions of OpenSSL's libcrypto. It is opened for the first signature, so a command that doesn't sign starts
/// fast and doesn't need it.
struct Libcrypto: Sendable {
    /// The number of OpenSSL for Ed25519, `NID_ED25519`.
    static let ed25519: Int32 = 1087

    /// 3 since OpenSSL 3.0, 4 since 4.0.
    private static let names = ["libcrypto.so.3", "libcrypto.so.4"]

    typealias Input = UnsafeRawPointer?
    typealias Output = UnsafeMutableRawPointer?
    typealias Object = OpaquePointer?
    typealias Begin = @convention(c) (Object, Object, Object, Object, Object) -> Int32

    let newPrivateKey, newPublicKey: @convention(c) (Int32, Object, Input, Int) -> Object
    let publicKey: @convention(c) (Object, Output, UnsafeMutablePointer<Int>) -> Int32
    let freeKey: @convention(c) (Object) -> Void
    private let freeContext: @convention(c) (Object) -> Void
    private let newContext: @convention(c) () -> Object
    private let copyContext: @convention(c) (Object, Object) -> Int32
    let beginSigning, beginVerifying: Begin
    let sign: @convention(c) (Object, Output, UnsafeMutablePointer<Int>, Input, Int) -> Int32
    let verify: @convention(c) (Object, Input, Int, Input, Int) -> Int32

    static let loaded = Result { () throws(SigningError) in try Libcrypto() }

    private init() throws(SigningError) {
        let library = try Self.library()
        func function<Function>(_ name: String) throws(SigningError) -> Function {
            guard let address = dlsym(library, name) else { throw .unavailable(reason: Self.reason) }
            return unsafeBitCast(address, to: Function.self)
        }
        newPrivateKey = try function("EVP_PKEY_new_raw_private_key")
        newPublicKey = try function("EVP_PKEY_new_raw_public_key")
        publicKey = try function("EVP_PKEY_get_raw_public_key")
        freeKey = try function("EVP_PKEY_free")
        newContext = try function("EVP_MD_CTX_new")
        freeContext = try function("EVP_MD_CTX_free")
        copyContext = try function("EVP_MD_CTX_copy_ex")
        beginSigning = try function("EVP_DigestSignInit")
        beginVerifying = try function("EVP_DigestVerifyInit")
        sign = try function("EVP_DigestSign")
        verify = try function("EVP_DigestVerify")
    }

    private static func library() throws(SigningError) -> UnsafeMutableRawPointer {
        var reasons: [String] = []
        for name in names {
            if let library = dlopen(name, RTLD_NOW) { return library }
            reasons.append(reason)
        }
        // The names are in ascending order of versions. Most systems have the first one.
        throw .unavailable(reason: reasons[0])
    }

    private static var reason: String { dlerror().map { String(cString: $0) } ?? "" }

    /// A key's context for signing or for verifying. Copying it takes a tenth of the time of creating a new one.
    final class Context: @unchecked Sendable {
        private let libcrypto: Libcrypto
        private let context: OpaquePointer

        /// Returns `nil` if libcrypto fails.
        init?(_ libcrypto: Libcrypto, _ key: OpaquePointer, _ begin: Begin) {
            guard let context = libcrypto.newContext() else { return nil }
            self.libcrypto = libcrypto
            self.context = context
            guard begin(context, nil, nil, nil, key) == 1 else { return nil }
        }

        deinit { libcrypto.freeContext(context) }

        /// Runs the body with a copy, which any thread may use; `nil` if libcrypto fails.
        func withCopy<Value>(_ body: (Libcrypto, OpaquePointer) -> Value?) -> Value? {
            let copy = libcrypto.newContext()
            defer { libcrypto.freeContext(copy) }
            guard let copy, libcrypto.copyContext(copy, context) == 1 else { return nil }
            return body(libcrypto, copy)
        }
    }
}
#endif
