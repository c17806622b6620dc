import ReferralBridge
import SwiftUI

/// The referrer, the board to which the link leads, and the parameters of the link.
///
/// Anyone can write a link. An app should show names from its own list, and never give a valuable reward for a link
/// alone.
struct ArrivalSection: View {
    let arrival: Arrival?

    var body: some View {
        Section("Welcome") {
            if let arrival {
                Text(verbatim: "Sent by: \(arrival.referrer.shown)")
                    .accessibilityIdentifier("referrer")
                if let board = arrival.destination {
                    Text(verbatim: "Opened: \(board.shown)")
                        .accessibilityIdentifier("destination")
                }
                ForEach(arrival.parameters.sorted { $0.key < $1.key }, id: \.key) { name, value in
                    Text(verbatim: "\(name.shown): \(value.shown)")
                        .accessibilityIdentifier("parameter")
                }
            } else {
                Text("Nobody has sent you, as far as the app knows.")
            }
        }
    }
}
