#if !canImport(Compression)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Raw DEFLATE is a part of Apple's `Compression` framework. Elsewhere packages are stored.
enum Deflate {
    static let isAvailable = false

    static func compressed(_ contents: [Data]) throws(HandoffError) -> Data { throw .codecUnavailable }

    static func inflated(_ stream: Data, length: Int) throws(HandoffError) -> Data { throw .codecUnavailable }
}
#endif
