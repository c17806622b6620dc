import Foundation
import ReferralBridge

/// What came of everything, the latest first.
struct OutcomeLog {
    struct Entry {
        let time = Date()
        /// What it is the outcome of.
        let cause: String
        let text: String
    }

    private(set) var entries: [Entry] = []

    mutating func add(_ outcome: AppStoreBridge.Outcome, from cause: String) {
        // The description contains nothing of the clipboard, not even who sent the person.
        add(outcome.description, from: cause)
    }

    mutating func add(_ text: String, from cause: String) {
        entries.insert(Entry(cause: cause, text: text), at: 0)
    }
}
