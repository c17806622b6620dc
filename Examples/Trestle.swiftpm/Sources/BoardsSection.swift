import DataHandoff
import SwiftUI

/// The boards, and a button that brings more.
struct BoardsSection: View {
    @ObservedObject var boards: Boards
    @AppStorage(Boards.sortsByName) private var sortsByName = false

    var body: some View {
        Section("Boards") {
            let names = sortsByName ? boards.names.sorted() : boards.names
            ForEach(names.indices, id: \.self) { index in
                Text(verbatim: names[index].shown)
                    .accessibilityIdentifier("board")
            }
            if let suggestion = boards.suggestion {
                Text("You have made boards in Trestle Lite. Go on with them here?")
                Button("Bring them along") {
                    Task { await boards.accept(suggestion) }
                }
                .accessibilityIdentifier("bring-along")
                Button("Begin without them") {
                    Task { await boards.decline(suggestion) }
                }
                .accessibilityIdentifier("begin-without")
            }
            if boards.isInvited {
                Text("Trestle Lite would like to send its boards.")
                Button("Not now") { boards.isInvited = false }
                    .accessibilityIdentifier("not-now")
            }
            Button("Bring boards from Trestle Lite") {
                Task { await boards.bring() }
            }
            .accessibilityIdentifier("bring")
            if let page = boards.litePage {
                Text("Trestle Lite isn't on this device.")
                Link(destination: page) { Text("Show Trestle Lite in the App Store") }
                    .accessibilityIdentifier("lite-page")
            }
            if !boards.receipts.isEmpty {
                Button("Tell Trestle Lite that its boards are here") {
                    Task { await boards.confirmAll() }
                }
                .accessibilityIdentifier("confirm")
            }
            if let news = boards.news {
                Text(verbatim: news)
                    .accessibilityIdentifier("news")
            }
        }
    }
}

/// Handles the messages of Trestle Lite, and asks the user.
struct BoardsHandoff: ViewModifier {
    @ObservedObject var boards: Boards

    func body(content: Content) -> some View {
        if let receiver = boards.receiver {
            content
                // SwiftUI doesn't name the app that opened a link. An app with a scene delegate needn't accept this.
                .onHandoff(receiver, acceptsUnnamedApps: true) { result in boards.arrived(result) }
                .sheet(item: $boards.question) { model in HandoffOfferView(model) }
        } else {
            content
        }
    }
}
