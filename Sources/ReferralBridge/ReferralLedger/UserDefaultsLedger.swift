#if canImport(UIKit) || canImport(AppKit)
public import Foundation
#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// A ledger in the app's user defaults, under one key.
///
/// It is deleted with the app. A user who deletes the app and its data starts over.
public struct UserDefaultsLedger: ReferralLedger {
    private let defaults: UserDefaults
    private let key: String

    /// Creates a ledger in user defaults.
    ///
    /// - Parameters:
    ///   - defaults: The app's user defaults. An app group's user defaults need a different reason in the app's privacy
    ///     manifest.
    ///   - key: The key of the data.
    public init(_ defaults: UserDefaults = .standard, key: String = "ReferralBridge") {
        self.defaults = defaults
        self.key = key
    }

    /// Returns the data under the key; `nil` if there is none yet.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable`` while protected data isn't available, as before the
    ///   first unlock after the device started, when user defaults seem to be empty. An app extension can't find out whether
    ///   protected data is available, so it reads.
    public func load() throws -> Data? {
        try Self.checkProtectedData()
        return defaults.data(forKey: key)
    }

    /// Replaces the data under the key.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable``, as ``load()`` does.
    public func save(_ data: Data) throws {
        try Self.checkProtectedData()
        defaults.set(data, forKey: key)
    }

    /// Does nothing on a Mac, where no app runs before the user logs in.
    private static func checkProtectedData() throws(ReferralLedgerError) {
        #if canImport(UIKit) && !os(watchOS)
        guard UIApplication.mayReadProtectedData else { throw .protectedDataUnavailable }
        #endif
    }
}
#endif
