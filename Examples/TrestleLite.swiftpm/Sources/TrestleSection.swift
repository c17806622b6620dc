import SwiftUI

/// Shows the way to Trestle.
struct TrestleSection: View {
    let boards: LiteBoards

    var body: some View {
        Section("Get Trestle") {
            let limit = BoardList.limit
            Text("Trestle Lite has room for \(limit) boards.")
            Text("Trestle has room for as many as you like. Ten more are free, and there are gold boards.")
            Text("A link is copied, so that Trestle can bring your boards along.")
            Button("Show Trestle in the App Store") {
                Task { await boards.showStore() }
            }
            .accessibilityIdentifier("show-store")
        }
    }
}
