import ReferralBridge
import SwiftUI

/// The system's paste button. Pressing it is the permission, so the system asks nothing.
struct PasteSection: View {
    let bridge: AppStoreBridge
    let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    var body: some View {
        Section("Invitation") {
            Text("Did a friend send you? Paste the link that their page copied for you.")
            // Under 34 points the system leaves it empty.
            ReferralPasteButton(bridge, completion: completion)
                .frame(minHeight: 34)
                .accessibilityIdentifier("paste")
        }
    }
}
