import Foundation
import ReferralBridge

/// All outcomes, the newest first.
struct OutcomeLog {
    struct Entry {
        let time = Date()
        /// The cause of the outcome.
        let cause: String
        let text: String
    }

    private(set) var entries: [Entry] = []

    mutating func add(_ outcome: AppStoreBridge.Outcome, from cause: String) {
        // The description doesn't contain any of the clipboard's content, not even the referrer.
        add(outcome.description, from: cause)
    }

    mutating func add(_ text: String, from cause: String) {
        entries.insert(Entry(cause: cause, text: text), at: 0)
    }
}
