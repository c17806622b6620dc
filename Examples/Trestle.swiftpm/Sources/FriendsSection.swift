import Foundation
import ReferralInvitations
import SwiftUI
import Unlocks

/// The reward for friends who come, and a button that invites them.
struct FriendsSection: View {
    @ObservedObject var unlocks: UnlockCenter
    let invitations: TrestleInvitations
    @State private var isInviting = false
    @AppStorage("hasBeenThanked") private var hasBeenThanked = false

    var body: some View {
        Section("Friends") {
            if !isSilverOpen {
                Text("Three friends who each finish a board open the silver boards for you.")
                    .accessibilityIdentifier("silver")
            } else if hasBeenThanked {
                Text("The silver boards are yours.")
                    .accessibilityIdentifier("silver")
            } else {
                Text("Thank you! Three friends have come by your invitation. The silver boards are yours.")
                    .accessibilityIdentifier("thanks")
                Button("Play on") { hasBeenThanked = true }
                    .accessibilityIdentifier("thanked")
            }
            Button("Invite a friend") { isInviting = true }
                .accessibilityIdentifier("invite")
                .sheet(isPresented: $isInviting) {
                    InviteView(invitations.model, yours: yours, theirs: theirs, message: message)
                }
        }
    }

    private var isSilverOpen: Bool { unlocks.state(of: "silver").isUnlocked }

    private var yours: String {
        isSilverOpen
            ? NSLocalizedString("The silver boards are yours.", comment: "")
            : NSLocalizedString("You get the silver boards when three friends have finished a board.", comment: "")
    }

    private var theirs: String {
        NSLocalizedString("Each friend gets a bonus board for the first board that they finish.", comment: "")
    }

    private var message: String {
        NSLocalizedString("Build bridges with me in Trestle. With my link, you get a bonus board.", comment: "")
    }
}

/// Follows the guestbook, at each launch and when the app becomes active.
struct GuestbookUpdates: ViewModifier {
    let invitations: TrestleInvitations
    let report: @MainActor (String) -> Void
    @Environment(\.scenePhase) private var scenePhase

    func body(content: Content) -> some View {
        content
            .task { await invitations.follow(report) }
            .onChange(of: scenePhase) { phase in
                guard phase == .active else { return }
                Task { do { try await invitations.center.readEntriesIfDue() } catch { report("\(error)") } }
            }
    }
}
