import Foundation
import ReferralBridge
import TestSupport
import UnlockCatalog

@testable import ReferralBasics
@testable import Unlocks

/// A state of deliveries, with the journal and the catalog by which it is judged.
final class DeliveryDesk {
    var state = DeliveryState()
    var ledger = Ledger()
    var catalog: ShopCatalog
    let moment = Timestamp(milliseconds: 0)

    init(_ catalog: ShopCatalog) { self.catalog = catalog }

    func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
        let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
        return state.handle(event, facts, at: moment)
    }

    /// The names of what is asked.
    func names(after event: DeliveryState.Event) -> [String] { handle(event).map { name(ofCase: $0) } }
}
