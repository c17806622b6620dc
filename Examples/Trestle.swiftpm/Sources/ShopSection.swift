import ReferralBridge
import SwiftUI
import Unlocks

/// The user's unlocks, and a board to finish, for which a reward may wait.
struct ShopSection: View {
    @ObservedObject var unlocks: UnlockCenter
    var invitations: TrestleInvitations?
    var counts: ArrivalCounts?
    let report: @MainActor (String) -> Void
    @State private var isShopOpen = false

    var body: some View {
        Section("Gold, club and hints") {
            Unlocked("gold") {
                Text("Forty gold boards are yours.")
            } otherwise: {
                Text("Gold boards are in the shop.")
            } unknown: {
                // Shown for a moment after each launch.
                Text("Looking for your gold boards…")
            }
            .accessibilityIdentifier("gold")
            Unlocked("daily-board") {
                Text("Today's board is open.")
            } otherwise: {
                Text("The club has a new board each day.")
            } unknown: {
                Text("Looking for your club…")
            }
            .accessibilityIdentifier("daily-board")
            // Not for sale: App Review may refuse a reward that is also sold.
            Unlocked("bonus") {
                Text("Your bonus board is open.")
            } otherwise: {
                Text("Did a friend's link bring you here? Finish a board to open a bonus board.")
            }
            .accessibilityIdentifier("bonus")
            Button("Finish a board") {
                counts?.record(event: "finished-board")
                attempt {
                    // The invitations tell the shop.
                    guard let invitations else { return try await unlocks.recordEvent("first-board") }
                    try await invitations.finishBoard()
                }
            }
            .accessibilityIdentifier("finish")
            let hints = unlocks.balance(of: "hint").count ?? 0
            Button("Use a hint (\(hints) left)") {
                attempt {
                    report(try await unlocks.spend(of: "hint") ? "A hint was used." : "There are no hints left.")
                }
            }
            .accessibilityIdentifier("hint")
            Button("Shop") { isShopOpen = true }
                .accessibilityIdentifier("shop")
                .sheet(isPresented: $isShopOpen) {
                    ShopView(unlocks, terms: TrestleShop.terms, privacy: TrestleShop.privacy)
                }
        }
        .unlocks(unlocks)
    }

    private func attempt(_ action: @escaping @MainActor () async throws -> Void) {
        Task { do { try await action() } catch { report("\(error)") } }
    }
}
