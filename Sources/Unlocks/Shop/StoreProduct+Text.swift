#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import SwiftUI

extension StoreProduct {
    /// The store's price, followed by the period of a subscription: *1,99 € per month*.
    @MainActor func priceText(_ bundle: Bundle) -> Text {
        switch (period?.unit, period?.count ?? 1) {
        case (nil, _): Text(verbatim: price)
        case (.day, 1): Text("\(price) per day", bundle: bundle)
        case (.week, 1): Text("\(price) per week", bundle: bundle)
        case (.month, 1): Text("\(price) per month", bundle: bundle)
        case (.year, 1): Text("\(price) per year", bundle: bundle)
        case (.day, let count): Text("\(price) every \(count) days", bundle: bundle)
        case (.week, let count): Text("\(price) every \(count) weeks", bundle: bundle)
        case (.month, let count): Text("\(price) every \(count) months", bundle: bundle)
        case (.year, let count): Text("\(price) every \(count) years", bundle: bundle)
        }
    }
}
#endif
