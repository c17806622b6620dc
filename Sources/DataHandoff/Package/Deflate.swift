#if !canImport(Compression)
import ReferralFoundation

/// Only Apple's `Compression` framework supports raw DEFLATE. Elsewhere, packages aren't compressed.
enum Deflate {
    static let isAvailable = false

    static func compressed(_ contents: [Data]) throws(HandoffError) -> Data { throw .codecUnavailable }

    static func inflated(_ stream: Data, length: Int) throws(HandoffError) -> Data { throw .codecUnavailable }
}
#endif
