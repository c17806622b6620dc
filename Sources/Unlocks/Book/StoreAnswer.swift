import ReferralFoundation

/// An answer of the store to a request for the user's purchases.
///
/// An empty list of purchases isn't an answer, since StoreKit returns one offline too. A list is an answer if a purchase is
/// in it, or if it was asked for after products or a new app transaction had arrived.
struct StoreAnswer: Sendable, Codable, Equatable {
    /// The time, in seconds, that a subscription stays open after its expiration if the store hasn't reported its end: three
    /// days. The device may be offline, and its clock may be ahead.
    static let tolerance = 3 * 86_400.0

    /// The environment that the purchases belong to.
    let environment: StoreEnvironment
    /// When the store was asked, as the unlocks judge it: on the device's clock, unless it has shown a later moment before.
    var date: Date
    /// Whether products or a new app transaction had arrived before. A list may come from StoreKit's cache, so a list alone
    /// doesn't end a subscription whose expiration has passed.
    let isFromStore: Bool
    /// The transactions of subscriptions that the store listed.
    let subscriptions: Set<Name>
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

    /// Until when it is open.
    var end: Date? { if case .open(let end) = self { end } else { nil } }
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
        guard let answer, answer.date >= expirationDate else {
            let end = expirationDate + StoreAnswer.tolerance
            return now < end ? .open(until: end) : .unknown
        }
        guard answer.subscriptions.contains(Name(id)) else {
            return now < expirationDate ? .open(until: expirationDate) : .ended
        }
        // The store's list follows the store's clock, and includes subscriptions in their grace period.
        let end = answer.date + StoreAnswer.tolerance
        return now < end ? .open(until: end) : .unknown
    }
}
