import ReferralBridge
import ReferralInvitations
import SwiftUI

/// The system's paste button, and a field for a friend's code. Pressing the button gives permission, so the system doesn't prompt.
struct PasteSection: View {
    let bridge: AppStoreBridge
    let code: InviteModel
    let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    var body: some View {
        Section("Invitation") {
            Text("Did a friend send you? Paste the link that their page copied for you.")
            // Below 34 points, the system leaves it empty.
            ReferralPasteButton(bridge, completion: completion)
                .frame(minHeight: 34)
                .accessibilityIdentifier("paste")
            Text("Or enter the code that they gave you.")
            InviteCodeField(code)
        }
    }
}
