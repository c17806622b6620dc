#if canImport(UIKit) || canImport(AppKit)
public import Foundation

/// A ledger in the app's user defaults, under one key.
///
/// It goes with the app: whoever deletes the app and gets it again is new to it.
public struct UserDefaultsLedger: ReferralLedger {
    private let defaults: UserDefaults
    private let key: String

    /// A ledger in user defaults.
    ///
    /// - Parameters:
    ///   - defaults: The app's own. Those of an app group need a reason of their own in the app's privacy manifest.
    ///   - key: The key.
    public init(_ defaults: UserDefaults = .standard, key: String = "ReferralBridge") {
        self.defaults = defaults
        self.key = key
    }

    /// The record; an empty one where there is none yet.
    ///
    /// - Throws: `DecodingError` where somebody else wrote under the key.
    public func record() throws -> LedgerRecord {
        guard let data = defaults.data(forKey: key) else { return LedgerRecord() }
        return try JSONDecoder().decode(LedgerRecord.self, from: data)
    }

    /// Replaces the record.
    public func save(_ record: LedgerRecord) throws {
        defaults.set(try JSONEncoder().encode(record), forKey: key)
    }
}
#endif
