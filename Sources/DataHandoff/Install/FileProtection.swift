import ReferralFoundation

/// The data protection of a file, which is also given to a file that replaces it.
package enum FileProtection {
    /// Whether this is a Mac, for an app of any kind.
    package static var isOnMac: Bool {
        #if os(macOS)
        true
        #elseif canImport(Darwin)
        // Also true for an iPad app on a Mac.
        ProcessInfo.processInfo.isMacCatalystApp
        #else
        false
        #endif
    }

    /// Sets a file's protection, if its volume supports it.
    ///
    /// A Mac encrypts whole volumes, so a protection that can't be set there leaves nothing unprotected. On other
    /// devices, a failure is ignored only on a volume without protection, such as a USB drive.
    ///
    /// - Parameters:
    ///   - isOnMac: Whether this is a Mac.
    ///   - set: Sets the protection.
    /// - Throws: The error of `set`, unless it can be ignored.
    package static func apply(isOnMac: Bool = Self.isOnMac, _ set: () throws -> Void) throws {
        do { try set() } catch { guard isOnMac || isUnsupported(error) else { throw error } }
    }

    private static func isUnsupported(_ error: any Error) -> Bool {
        if let error = error as? POSIXError { return error.code.rawValue == ENOTSUP }
        guard let error = error as? CocoaError else { return false }
        return error.code == .featureUnsupported || error.underlying.map(isUnsupported) ?? false
    }
}
