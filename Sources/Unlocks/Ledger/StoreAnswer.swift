import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An answer of the store to the question what the user has.
///
/// An empty list of purchases isn't an answer, since StoreKit returns one offline too. A refresh is an answer if a
/// purchase was listed, or if products or an app transaction arrived.
struct StoreAnswer: Sendable, Equatable {
    /// The environment that the purchases belong to.
    let environment: StoreEnvironment
    /// When the store was asked, on the device's clock.
    let date: Date
    /// Whether products or an app transaction arrived. A list alone may come from StoreKit's cache, so it isn't an answer
    /// about subscriptions whose expiration has passed.
    let isFromStore: Bool
    /// The transactions of subscriptions that the store listed.
    let subscriptions: Set<String>

    /// Creates an answer with its date as the journal writes it.
    init(environment: StoreEnvironment, date: Date, isFromStore: Bool, subscriptions: Set<String>) {
        (self.environment, self.date) = (environment, Timestamp(date).date)
        (self.isFromStore, self.subscriptions) = (isFromStore, subscriptions)
    }

    /// The answer with a subscription that arrived after the store had made its list; `nil` if that makes no difference.
    ///
    /// If the device's clock is ahead, the answer seems to be later than the end of what is bought now.
    func adding(_ transaction: StoreTransaction) -> StoreAnswer? {
        guard isFromStore, !subscriptions.contains(transaction.id), !transaction.isRevoked,
            transaction.environment ?? environment == environment,
            let end = transaction.expirationDate, end <= date, transaction.signedDate ?? .distantPast < end
        else { return nil }
        return StoreAnswer(
            environment: environment,
            date: date,
            isFromStore: true,
            subscriptions: subscriptions.union([transaction.id])
        )
    }
}

extension StoreAnswer {
    /// How long a subscription stays open after its expiration while the store hasn't reported that it ended, in seconds:
    /// three days. The store may be out of reach, and the device's clock may be ahead.
    static let tolerance = 3 * 86_400.0
}

/// Whether a purchase opens its unlocks at a moment.
enum Validity: Equatable {
    /// It opens them, until a moment if there is one.
    case open(until: Date?)
    /// It doesn't, because the store reported that it ended.
    case ended
    /// Nobody knows: its expiration has passed, and the store hasn't answered since.
    case unknown
}

extension StoreTransaction {
    /// Judges the transaction by its expiration and by the store's latest answer.
    ///
    /// - Parameters:
    ///   - answer: The latest answer from the store itself, in the transaction's environment.
    ///   - now: The present moment.
    /// - Returns: Whether it opens its unlocks.
    func validity(after answer: StoreAnswer?, at now: Date) -> Validity {
        guard let expirationDate else { return .open(until: nil) }
        var end = expirationDate + StoreAnswer.tolerance
        if let answer, answer.date >= expirationDate {
            guard answer.subscriptions.contains(id) else {
                return now < expirationDate ? .open(until: expirationDate) : .ended
            }
            // The store judges what it lists by its own clock, and includes the grace period.
            end = answer.date + StoreAnswer.tolerance
        }
        return now < end ? .open(until: end) : .unknown
    }
}
