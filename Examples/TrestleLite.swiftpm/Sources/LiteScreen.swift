import DataHandoff
import SwiftUI

/// The only screen: the boards, and the handoff to Trestle.
struct LiteScreen: View {
    @StateObject private var boards = LiteBoards()
    @AppStorage(LiteBoards.sortsByName) private var sortsByName = false

    var body: some View {
        List {
            if let delivery = boards.delivery { QuestionSection(boards: boards, delivery: delivery) }
            Section("Boards") {
                let names = sortsByName ? boards.list.names.sorted() : boards.list.names
                ForEach(names, id: \.self) { name in Text(verbatim: name) }
                Button("Add a board") { boards.add() }
                    .accessibilityIdentifier("add")
                Button {
                    sortsByName.toggle()
                } label: {
                    if sortsByName { Text("Newest last") } else { Text("Sort by name") }
                }
                .accessibilityIdentifier("sort")
            }
            SendSection(boards: boards)
        }
        .modifier(LiteHandoff(boards: boards))
    }
}

/// Handles the requests and receipts of Trestle, and shows the way there.
struct LiteHandoff: ViewModifier {
    @ObservedObject var boards: LiteBoards

    func body(content: Content) -> some View {
        if let sender = boards.sender {
            content
                // SwiftUI doesn't name the app that opened a link. An app with a scene delegate needn't accept this.
                .onHandoff(sender, acceptsUnnamedApps: true) { result in boards.arrived(result) }
                .sheet(item: $boards.paidApp) { model in
                    PaidAppView(model) {
                        let limit = BoardList.limit
                        Text("Trestle Lite has room for \(limit) boards.")
                        Text("Trestle has room for as many as you like. Ten more are free, and there are gold boards.")
                    }
                }
        } else {
            content
        }
    }
}
