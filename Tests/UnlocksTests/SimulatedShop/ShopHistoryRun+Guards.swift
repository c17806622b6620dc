import Foundation
import ReferralBridge

@testable import Unlocks

/// The server that guards the files of items.
extension ShopHistoryRun {
    /// The purchase of which the store has signed a text.
    func purchase(with proof: String?) -> String? {
        order.first { truths[$0]?.statements.contains { $0.signedText == proof } ?? false }
    }

    /// What is sent is what the store has signed of the purchase itself, and nothing for a free item.
    func checkProof(_ contentGuard: ContentGuard?, of folder: String) {
        guard let contentGuard else { return }
        let owner = purchase(with: contentGuard.proof).map { "purchase-\($0)" }
        if folder.hasPrefix("free-") ? contentGuard.proof != nil : owner != folder {
            violate("\(folder) is proved by \(contentGuard.proof ?? "nothing")")
        }
    }

    /// A process was told whether a purchase still has its content.
    func didProve(_ contentGuard: ContentGuard, _ error: DownloadError?, in shop: Shop) {
        questions += 1
        guard let id = purchase(with: contentGuard.proof) else { return violate("nothing is asked about") }
        hear(error, of: ItemID(contentGuard.address.lastPathComponent), "purchase-\(id)", in: shop)
    }

    /// A process hears what the server says.
    func hear(_ error: DownloadError?, of item: ItemID, _ folder: String, in shop: Shop) {
        guard error != .cancelled, !shop.storage.hasEnded else { return }
        refusals[ObjectIdentifier(shop), default: [:]][item] =
            if case .refused(let reason) = error { reason } else { nil }
        guard error == .refused(.refunded), folder.hasPrefix("purchase-") else { return }
        removable.insert(folder)
        forgetFiles(of: folder)
        // It may be delivered again once the store has something new to say.
        truths[String(folder.dropFirst("purchase-".count))]?.allowedDeliveries += 1
    }

    /// Only a refund, the user and a server that knows of a refund take content away.
    func checkRemoval(of folder: String) {
        let id = String(folder.dropFirst("purchase-".count))
        guard let truth = truths[id], !isJournalLost else { return }
        // After a refund that is taken back, it is delivered again before it opens.
        if journalLine(of: id).contains(#""isRevoked":true"#) { truths[id]?.completions = 0 }
        if !truth.wasRevoked, !removable.contains(folder) { violate("\(folder) is removed for no reason") }
    }

    /// What is shown is what the server has said last.
    func checkRefusals(in shop: Shop) {
        let said = refusals[ObjectIdentifier(shop)] ?? [:]
        for item: ItemID in ["gold-pack", "pro", "starter"] where shop.unlocks?.refusal(of: item) != said[item] {
            violate("\(item) is refused, \(String(describing: shop.unlocks?.refusal(of: item))), not \(said)")
        }
    }
}
