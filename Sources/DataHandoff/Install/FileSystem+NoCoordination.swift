#if !((canImport(UIKit) && !os(tvOS) && !os(watchOS)) || canImport(AppKit))
import ReferralFoundation

extension FileSystem {
    /// Reads a file. Only Apple's platforms have coordinators.
    static func coordinateReading<Value: Sendable>(
        _ url: URL,
        _ read: @Sendable (_ place: URL) throws(HandoffError) -> Value
    ) async throws(HandoffError) -> Value { try read(url) }
}
#endif
