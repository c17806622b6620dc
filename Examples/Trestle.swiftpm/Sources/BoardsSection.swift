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
            switch boards.question {
            case .arrival, .package:
                Text("You have made boards in Trestle Lite. Go on with them here?")
                answers("Bring them along", "Begin without them")
            case .invitation:
                Text("Trestle Lite would like to send its boards.")
                answers("Bring them along", "Not now")
            case .offer(let offer):
                let made = offer.manifest.created.date.formatted(date: .abbreviated, time: .shortened)
                Text("The boards of Trestle Lite, made \(made), are ready. Replace the boards here?")
                if offer.isOlderThanAccepted { Text("You have brought newer boards here before.") }
                answers("Replace", "Not now")
            case nil: EmptyView()
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

    @ViewBuilder private func answers(_ yes: LocalizedStringKey, _ no: LocalizedStringKey) -> some View {
        Button(yes) {
            Task { await boards.accept() }
        }
        .accessibilityIdentifier("accept")
        Button(no) {
            Task { await boards.decline() }
        }
        .accessibilityIdentifier("decline")
    }
}
