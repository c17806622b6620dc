import ReferralFoundation

/// A change of what is known about the user. If several entries have the same subject, the last one counts.
enum JournalEntry: Sendable, Codable, Equatable {
    /// The first entry, so that an older app doesn't misread a newer journal.
    case format(Int)
    case grant(Grant)
    /// What was spent of an unlock in an environment, in all.
    case spent(UnlockID, StoreEnvironment, Spending)
    /// The latest moment of the device's clock, or the latest one that the store has signed in an environment. An earlier
    /// moment of the clock than before is a correction.
    case seen(Date, StoreEnvironment?)
    case reached(EventName)
    case claim(Claim)
    /// A claim that no longer counts.
    case forgotten(Claim)
    /// Somebody came by the user's invitation, in a program.
    case invited(Name, program: Name)
    case kept(PaidBefore.Kept?)
    case answer(StoreAnswer)
}

// Each is written as its text.
extension Identifier: Codable {}
