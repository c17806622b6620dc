import Foundation
import ReferralBridge
import SwiftUI
import UIKit

/// Copies a fresh link as a web page does: as an address and as text.
///
/// The system doesn't ask before an app pastes its own content. To see the question, copy in another app.
struct CopyButton: View {
    var body: some View {
        Button("Copy a link") { copyLink() }
            .accessibilityIdentifier("copy")
    }

    private func copyLink() {
        guard let referral = try? Referral(referrer: "Trestle itself", parameters: ["pack": "gold"]),
            let page = try? StorePage(appID: TrestleApp.appID),
            let link = try? ReferralLink(page: page, referral: referral),
            let url = URL(string: link.address)
        else { return }
        UIPasteboard.general.items = [["public.url": url, "public.utf8-plain-text": link.address]]
    }
}
