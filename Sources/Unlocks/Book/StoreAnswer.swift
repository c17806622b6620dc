import ReferralBridge
import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An answer of the store to a request for the user's purchases.
///
/// An empty list of purchases isn't an answer, since StoreKit returns one offline too. A list is an answer if a purchase is
/// in it, or if it was asked for after products or a new app transaction had arrived.
struct StoreAnswer: Sendable, Equatable {
    /// The environment that the purchases belong to.
    let environment: StoreEnvironment
    /// When the store was asked, on the device's clock.
    let date: Date
    /// Whether products or a new app transaction had arrived before. A list may come from StoreKit's cache, so a list alone
    /// doesn't end a subscription whose expiration has passed.
    let isFromStore: Bool
    /// The transactions of subscriptions that the store listed.
    let subscriptions: Set<Name>

    /// Creates an answer. Its date is rounded as in the journal.
    init(environment: StoreEnvironment, date: Date, isFromStore: Bool, subscriptions: Set<Name>) {
        (self.environment, self.date) = (environment, Timestamp(date).date)
        (self.isFromStore, self.subscriptions) = (isFromStore, subscriptions)
    }

    /// The answer at another moment, after a correction of the clock.
    func moved(to date: Date) -> StoreAnswer {
        StoreAnswer(environment: environment, date: date, isFromStore: isFromStore, subscriptions: subscriptions)
    }

    /// The answer with a subscription that arrived after the store had made its list; `nil` if that makes no difference.
    ///
    /// If the device's clock is ahead, the answer's date may be after the end of a subscription that is bought later. One that
    /// ended before a moment that the store has signed has ended by any clock.
    func adding(_ transaction: StoreTransaction, signed: Date?) -> StoreAnswer? {
        guard isFromStore, !subscriptions.contains(Name(transaction.id)), !transaction.isRevoked,
            transaction.environment ?? environment == environment,
            let end = transaction.expirationDate, end <= date, transaction.signedDate ?? .distantPast < end,
            signed ?? .distantPast <= end
        else { return nil }
        return StoreAnswer(
            environment: environment,
            date: date,
            isFromStore: true,
            subscriptions: subscriptions.union([Name(transaction.id)])
        )
    }
}

extension StoreAnswer {
    /// The time, in seconds, that a subscription stays open after its expiration if the store hasn't reported its end: three
    /// days. The device may be offline, and its clock may be ahead.
    static let tolerance = 3 * 86_400.0
}

/// Whether a purchase opens its unlocks at a moment.
enum Validity: Equatable {
    /// The purchase opens its unlocks, until a moment if there is one.
    case open(until: Date?)
    /// The store reported that the purchase has ended.
    case ended
    /// The expiration has passed, and the store hasn't answered since.
    case unknown

    var isOpen: Bool { if case .open = self { true } else { false } }
}

extension StoreTransaction {
    /// Judges the transaction by its expiration and by the store's latest answer.
    ///
    /// - Parameters:
    ///   - answer: The latest answer from the store itself, in the transaction's environment.
    ///   - now: The present moment.
    /// - Returns: Whether the transaction opens its unlocks.
    func validity(after answer: StoreAnswer?, at now: Date) -> Validity {
        guard let expirationDate else { return .open(until: nil) }
        var end = expirationDate + StoreAnswer.tolerance
        if let answer, answer.date >= expirationDate {
            guard answer.subscriptions.contains(Name(id)) else {
                return now < expirationDate ? .open(until: expirationDate) : .ended
            }
            // The store's list follows the store's clock, and includes subscriptions in their grace period.
            end = answer.date + StoreAnswer.tolerance
        }
        return now < end ? .open(until: end) : .unknown
    }
}
