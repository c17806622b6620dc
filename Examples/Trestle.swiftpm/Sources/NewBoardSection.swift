import SwiftUI
import Unlocks

/// Adds boards. Ten are free, and then the user sees what more would cost.
struct NewBoardSection: View {
    @ObservedObject var unlocks: UnlockCenter
    let boards: Boards
    let report: @MainActor (String) -> Void
    @State private var isAtLimit = false

    var body: some View {
        Section("New board") {
            if unlocks.isRunningOut("boards"), let left = unlocks.balance(of: "boards").count {
                Text("\(left) free boards left")
                    .accessibilityIdentifier("free-boards")
            }
            Button("Add a board") { add() }
                .accessibilityIdentifier("add")
                .sheet(isPresented: $isAtLimit) {
                    VStack {
                        if !unlocks.state(of: "boards").isUnlocked { Text("Your ten free boards are used up.") }
                        // Offers what opens it: first the trial, and the gold boards after that.
                        Unlocked("boards") {
                            Button("There is room for more boards now.") { isAtLimit = false }
                        } otherwise: {
                            LockedView("boards")
                        } unknown: {
                            // At the first launch without a connection, for example.
                            Text(
                                "The App Store has not answered yet, so it is not known whether you have room for more boards."
                            )
                            Button("Try Again") { Task { await unlocks.refresh() } }
                        }
                    }
                    .padding()
                }
        }
        .unlocks(unlocks, terms: TrestleShop.terms, privacy: TrestleShop.privacy)
    }

    private func add() {
        Task {
            do {
                if try await unlocks.spend(of: "boards") { boards.add() } else { isAtLimit = true }
            } catch {
                report("\(error)")
            }
        }
    }
}
