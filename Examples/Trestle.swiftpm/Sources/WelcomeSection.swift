import Foundation
import ReferralBridge
import ReferralInvitations
import SwiftUI

/// What a new user sees first. A link that brought them waits until it is over.
struct WelcomeSection: View {
    let arrival: Arrival?
    let begin: @MainActor () -> Void

    var body: some View {
        Section("Welcome") {
            Text("Trestle is a game of bridges.")
            if let arrival {
                // Trestle has no accounts, so it doesn't know whose code it is.
                WelcomeView(
                    arrival,
                    waiting: NSLocalizedString("Finish a board, and a bonus board is yours.", comment: "")
                ) { _ in nil }
                .accessibilityIdentifier("invited")
            }
            Button("Begin") { begin() }
                .accessibilityIdentifier("begin")
        }
    }
}
