import ReferralBridge
import SwiftUI

/// Who sent the person, and what else the link says.
///
/// Anyone can write a link. An app shows names from a list of its own, and gives nothing away for a link alone.
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
