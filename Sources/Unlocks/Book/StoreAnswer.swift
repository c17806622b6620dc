import ReferralFoundation

/// An answer of the store to a request for the user's purchases.
///
/// An empty list of purchases isn't an answer, since StoreKit returns one offline too. A list is an answer if a purchase is
/// in it, or if it was asked for after products or a new app transaction had arrived.
struct StoreAnswer: Sendable, Codable, Equatable {
    /// The environment that the purchases belong to.
    let environment: StoreEnvironment
    /// When the store was asked, as the unlocks judge it: on the device's clock, unless it has shown a later moment before.
    let date: Date
    /// What the device's clock showed then, if it was far behind the date.
    let clock: Date?
    /// Whether products or a new app transaction had arrived before. A list may come from StoreKit's cache, so a list alone
    /// doesn't end a subscription whose expiration has passed.
    let isFromStore: Bool
    /// The transactions of subscriptions that the store listed.
    let subscriptions: Set<Name>

    /// Creates an answer.
    init(
        environment: StoreEnvironment,
        date: Date,
        clock: Date? = nil,
        isFromStore: Bool,
        subscriptions: Set<Name>
    ) {
        self.environment = environment
        self.date = date
        self.clock = clock.flatMap { $0 < date - Ledger.maximumLead ? $0 : nil }
        self.isFromStore = isFromStore
        self.subscriptions = subscriptions
    }

    /// The answer at another moment, after a correction of the clock.
    func moved(to date: Date) -> StoreAnswer {
        StoreAnswer(
            environment: environment,
            date: date,
            clock: clock,
            isFromStore: isFromStore,
            subscriptions: subscriptions
        )
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
            clock: clock,
            isFromStore: true,
            subscriptions: subscriptions.union([Name(transaction.id)])
        )
    }
}

extension StoreAnswer {
    /// The time, in seconds, that a subscription stays open after its expiration if the store hasn't reported its end: three
    /// days. The device may be offline, and its clock may be ahead.
    static let tolerance = 3 * 86_400.0

    /// The longest time, in seconds, for which the store lists a subscription after its expiration: 28 days, the longest grace
    /// period that an app can choose.
    static let longestGrace = 28 * 86_400.0

    /// When a subscription that the store listed ends, on the device's clock, if the store isn't asked again.
    ///
    /// If the clock is far behind the answer's date, it was ahead before, and that date may be years away. Then the subscription is
    /// open for three days after the answer on this clock, or if the clock has been set back since, after the last moment at which
    /// the store can have listed it. The expiration, which the store has signed, is never later than that.
    ///
    /// - Parameters:
    ///   - expiration: The subscription's expiration.
    ///   - clock: The device's clock; `nil` if it isn't known.
    /// - Returns: The moment.
    fileprivate func end(ofListed expiration: Date, _ clock: Date?) -> Date {
        guard let clock, clock < date - Ledger.maximumLead else { return date + Self.tolerance }
        let asked = self.clock ?? date
        let latest = clock < asked - Ledger.maximumLead ? expiration + Self.longestGrace : max(asked, expiration)
        return min(latest, date) + Self.tolerance
    }
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
    ///   - clock: The device's clock; `nil` if it isn't known.
    ///   - now: The present moment.
    /// - Returns: Whether the transaction opens its unlocks.
    func validity(after answer: StoreAnswer?, _ clock: Date? = nil, at now: Date) -> Validity {
        guard let expirationDate else { return .open(until: nil) }
        guard let answer, answer.date >= expirationDate else {
            let end = expirationDate + StoreAnswer.tolerance
            return now < end ? .open(until: end) : .unknown
        }
        guard answer.subscriptions.contains(Name(id)) else {
            return now < expirationDate ? .open(until: expirationDate) : .ended
        }
        // The store's list follows the store's clock, and includes subscriptions in their grace period.
        let end = answer.end(ofListed: expirationDate, clock)
        let isOpen = now < answer.date + StoreAnswer.tolerance && clock ?? now < end
        return isOpen ? .open(until: end) : .unknown
    }
}
