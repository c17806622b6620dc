#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

extension StoreProduct {
    /// The store's price, followed by the period of a subscription: *1,99 € per month*.
    @MainActor func priceText(_ bundle: Bundle) -> Text {
        period?.text(for: price, bundle) ?? Text(own: price)
    }
}

extension SubscriptionPeriod {
    /// A price followed by the period that it pays for.
    @MainActor func text(for price: String, _ bundle: Bundle) -> Text {
        switch (unit, count) {
        case (.day, 1): Text("\(own: price) per day", bundle: bundle)
        case (.week, 1): Text("\(own: price) per week", bundle: bundle)
        case (.month, 1): Text("\(own: price) per month", bundle: bundle)
        case (.year, 1): Text("\(own: price) per year", bundle: bundle)
        case (.day, _): Text("\(own: price) every \(count) days", bundle: bundle)
        case (.week, _): Text("\(own: price) every \(count) weeks", bundle: bundle)
        case (.month, _): Text("\(own: price) every \(count) months", bundle: bundle)
        case (.year, _): Text("\(own: price) every \(count) years", bundle: bundle)
        }
    }
}
#endif
