import Foundation

@testable import ReferralBasics
@testable import Unlocks

/// The server that guards files.
extension DirectShop {
    /// The purchase of which the store has signed a text.
    func purchase(with proof: String?) -> String? {
        order.first { truths[$0]?.statements.contains { $0.signedText == proof } ?? false }
    }

    /// What is sent is what the store has signed of the purchase itself.
    mutating func checkProof(_ contentGuard: ContentGuard?, of item: CatalogItem, for source: Grant.Source) {
        if contentGuard?.address != item.guardAddress { violate("\(item.id) is loaded from \(contentGuard as Any)") }
        guard let contentGuard, case .purchase(let id) = source else { return }
        if purchase(with: contentGuard.proof) != id.rawValue {
            violate("\(id) is proved by \(contentGuard.proof ?? "")")
        }
    }

    /// The server is asked whether a purchase still has its content.
    mutating func willProve(_ contentGuard: ContentGuard) {
        guard let id = purchase(with: contentGuard.proof) else { return violate("nothing is asked about") }
        if truths[id]?.completions == 0 { violate("\(id) is asked about, and isn't delivered") }
        if let last = process?.proofs[id], moment < last.advanced(by: Self.month) {
            violate("\(id) is asked about again after \((moment.milliseconds - last.milliseconds) / 86_400_000) days")
        }
        process?.proofs[id] = moment
        questions += 1
    }

    /// The app hears what the server says.
    mutating func hear(_ error: DownloadError?, of item: ItemID, about source: Grant.Source) {
        guard error != .cancelled, case .purchase(let id) = source else { return }
        process?.refusals[item] = if case .refused(let reason) = error { reason } else { nil }
        if error == nil, catalog.item(named: item)?.guardAddress != nil { process?.proofs[id.rawValue] = moment }
        guard error == .refused(.refunded) else { return }
        removable.insert(source)
        withheld.insert(source)
        // It may be delivered again once the store has something new to say.
        truths[id.rawValue]?.allowedDeliveries += 1
    }

    mutating func willRemove(_ source: Grant.Source) {
        guard case .purchase(let id) = source, folders[source] != nil, truths[id.rawValue]?.wasRevoked != true,
            !removable.contains(source)
        else { return }
        violate("the content of \(id) is removed for no reason")
    }

    /// What waits for a proof that the store hasn't told.
    func waitsForProof(_ source: Grant.Source) -> Bool {
        guard case .purchase(let id) = source, let process, let grant = process.ledger[source] else { return false }
        return catalog.item(of: grant)?.guardAddress != nil && !process.told.contains(id.rawValue)
    }

    /// Content that the server withholds is gone, and comes back if the user wants it to; then the server is asked once a month.
    mutating func endGuards() {
        guard let process else { return }
        let sources = process.ledger.all.filter { $0.isWithheld == true }.map(\.source)
        if !withheld.isSuperset(of: sources) { violate("\(sources) are withheld, and only \(withheld) were refused") }
        for source in sources where folders[source] != nil && !process.notRemoved.contains(source) {
            violate("the content of \(source) is still there, though the server has said that it was refunded")
        }
        reset(sources)
        wait(8_000)
        for id in order { endPurchase(id) }
        let now = moment
        returnAfterMonth()
        wait(100)
        for id in order where truths[id]?.current.productID == "everything" {
            guard let truth = truths[id], truth.current.environment == environment, !truth.current.isRevoked,
                process.told.contains(id), process.proofs[id] ?? now <= now
            else { continue }
            violate("\(id) isn't asked about after a month")
        }
    }

    private static let month = 2_592_000.0

    mutating func returnAfterMonth() {
        wait(Self.month)
        if process == nil { launch() } else { send(.becameActive) }
    }
}
