/// A product in the store.
public struct StoreProduct: Sendable, Hashable {
    /// The product identifier.
    public let id: ProductID
    /// The price as the store writes it, such as `2,99 €`.
    public let price: String
    /// The time that one payment for a subscription covers; `nil` if the product isn't a subscription that renews by itself.
    public let period: SubscriptionPeriod?
    /// The name in the store, in the user's language; `nil` if the store has none.
    public let title: String?
    /// The free or cheaper time with which a subscription begins; `nil` if there is none, or the user had it before. A change from
    /// another plan of the same ``group`` has none.
    public let introduction: Introduction?
    /// The group of a subscription, whose members are plans of one thing: the user has at most one of them. `nil` if that isn't
    /// known, or if the product isn't a subscription.
    public let group: String?

    /// Creates a product.
    public init(
        id: ProductID,
        price: String,
        period: SubscriptionPeriod? = nil,
        title: String? = nil,
        introduction: Introduction? = nil,
        group: String? = nil
    ) {
        self.id = id
        self.price = price
        self.period = period
        self.title = title
        self.introduction = introduction
        self.group = group
    }

    /// A free or cheaper time with which a subscription begins.
    public struct Introduction: Sendable, Hashable {
        /// The price of one payment as the store writes it; `nil` if the time is free.
        public let price: String?
        /// The time that one payment covers.
        public let period: SubscriptionPeriod
        /// The number of payments, from 1.
        public let count: Int

        /// Creates an introduction.
        public init(price: String? = nil, period: SubscriptionPeriod, count: Int = 1) {
            self.price = price
            self.period = period
            self.count = count
        }
    }
}

/// The time that one payment for a subscription covers, such as three months.
public struct SubscriptionPeriod: Sendable, Hashable {
    /// A unit of time.
    public enum Unit: String, Sendable {
        /// A day.
        case day
        /// A week.
        case week
        /// A month.
        case month
        /// A year.
        case year
    }

    /// The unit of time.
    public let unit: Unit
    /// The number of units, from 1.
    public let count: Int

    /// Creates a period. Seven days become a week, because the store reports a week in either form.
    public init(_ unit: Unit, count: Int = 1) {
        let isWeeks = unit == .day && count > 0 && count % 7 == 0
        (self.unit, self.count) = isWeeks ? (.week, count / 7) : (unit, count)
    }
}
