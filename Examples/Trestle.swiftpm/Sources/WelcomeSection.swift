import ReferralBridge
import SwiftUI

/// The referrer and the parameters of the link.
///
/// Anyone can write a link. An app should show names from its own list, and never give a valuable reward for a link
/// alone.
struct WelcomeSection: View {
    let referral: Referral?

    var body: some View {
        Section("Welcome") {
            if let referral {
                Text(verbatim: "Sent by: \(referral.referrer.shown)")
                    .accessibilityIdentifier("referrer")
                ForEach(referral.parameters.sorted { $0.key < $1.key }, id: \.key) { name, value in
                    Text(verbatim: "\(name.shown): \(value.shown)")
                        .accessibilityIdentifier("parameter")
                }
            } else {
                Text("Nobody has sent you, as far as the app knows.")
            }
        }
    }
}
