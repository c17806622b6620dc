package import Hashing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SHA256 {
    /// The hash of a text, as a `Content-Security-Policy` writes it.
    package static func policySource(of text: some Collection<UInt8>) -> String {
        "'sha256-\(digest(text).base64)'"
    }
}

extension [UInt8] {
    /// The bytes in base64 with padding.
    package var base64: String { Data(self).base64EncodedString() }
}
