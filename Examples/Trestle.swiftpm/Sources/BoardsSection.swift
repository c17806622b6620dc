import DataHandoff
import SwiftUI

/// The boards, and a button that brings more.
struct BoardsSection: View {
    @ObservedObject var boards: Boards

    var body: some View {
        Section("Boards") {
            ForEach(boards.names.indices, id: \.self) { index in
                Text(verbatim: boards.names[index].shown)
                    .accessibilityIdentifier("board")
            }
            Button("Bring boards from Trestle Lite") {
                Task { await boards.bring() }
            }
            .accessibilityIdentifier("bring")
            if let news = boards.news {
                Text(verbatim: news)
                    .accessibilityIdentifier("news")
            }
        }
    }
}

/// Opens what Trestle Lite sends, and asks the person.
struct BoardsHandoff: ViewModifier {
    @ObservedObject var boards: Boards

    func body(content: Content) -> some View {
        if let receiver = boards.receiver {
            content
                .onHandoff(receiver) { result in boards.arrived(result) }
                .sheet(item: $boards.question) { model in HandoffOfferView(model) }
        } else {
            content
        }
    }
}
