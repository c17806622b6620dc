import ReferralBridge
import SwiftUI

/// What a new user sees first. A link that brought them waits until it is over.
struct WelcomeSection: View {
    let arrival: Arrival?
    let begin: @MainActor () -> Void

    var body: some View {
        Section("Welcome") {
            Text("Trestle is a game of bridges.")
            if let arrival {
                Text(verbatim: "\(arrival.referrer.shown) invited you.")
                    .accessibilityIdentifier("invited")
            }
            Button("Begin") { begin() }
                .accessibilityIdentifier("begin")
        }
    }
}
