#if canImport(UIKit) || canImport(AppKit)
public import Foundation
#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// A ledger in the app's user defaults, under one key.
///
/// It is deleted with the app. A person who deletes the app and gets it again is new to it.
public struct UserDefaultsLedger: ReferralLedger {
    private let defaults: UserDefaults
    private let key: String

    /// Creates a ledger in user defaults.
    ///
    /// - Parameters:
    ///   - defaults: The app's own. Those of an app group need another reason in the app's privacy manifest.
    ///   - key: The key of the record.
    public init(_ defaults: UserDefaults = .standard, key: String = "ReferralBridge") {
        self.defaults = defaults
        self.key = key
    }

    /// The record; an empty one if there is none yet.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable`` while the system says that protected data isn't
    ///   available, as it does before the first unlock after the device started, when user defaults read as empty;
    ///   `DecodingError` if something else is under the key.
    public func load() throws -> LedgerRecord {
        try Self.checkProtectedData()
        guard let data = defaults.data(forKey: key) else { return LedgerRecord() }
        return try JSONDecoder().decode(LedgerRecord.self, from: data)
    }

    /// Replaces the record.
    ///
    /// - Throws: ``ReferralLedgerError/protectedDataUnavailable``, as ``load()`` does.
    public func save(_ record: LedgerRecord) throws {
        try Self.checkProtectedData()
        defaults.set(try JSONEncoder().encode(record), forKey: key)
    }

    /// On a Mac it does nothing, since nothing runs there before somebody has logged in.
    private static func checkProtectedData() throws(ReferralLedgerError) {
        #if canImport(UIKit) && !os(watchOS)
        guard UIApplication.shared.isProtectedDataAvailable else { throw .protectedDataUnavailable }
        #endif
    }
}
#endif
