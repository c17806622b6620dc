import ReferralClip
import StoreKit
import SwiftUI

/// The only screen: the invitation, and the app in the App Store.
struct ClipScreen: View {
    /// `nil` if the clip isn't in the app group.
    let handover: ClipHandover?
    @State private var invitation: Invitation?
    @State private var isOffering = false
    @State private var problem: String?

    var body: some View {
        VStack(spacing: 16) {
            Text(verbatim: invitation?.text ?? "Trestle is a game of bridges.")
                .accessibilityIdentifier("invitation")
            Button("Get Trestle") { isOffering = true }
                .accessibilityIdentifier("get")
            if let problem {
                Text(verbatim: problem)
                    .accessibilityIdentifier("problem")
            }
        }
        .appStoreOverlay(isPresented: $isOffering) { SKOverlay.AppClipConfiguration(position: .bottom) }
        .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
            if let address = activity.webpageURL { open(address) }
        }
    }

    /// Keeps the address for the app before anything else, since the user may get the app at any moment.
    private func open(_ address: URL) {
        do {
            try handover?.leave(address)
            problem = handover == nil ? "The clip isn't in the app group, so the app won't hear of this." : nil
        } catch {
            problem = "\(error)"
        }
        invitation = Invitation(address)
        isOffering = true
    }
}
