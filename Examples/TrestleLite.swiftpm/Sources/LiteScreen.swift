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
            if boards.leadsToTrestle { TrestleSection(boards: boards) }
            SendSection(boards: boards)
        }
        .modifier(LiteHandoff(boards: boards))
    }
}

/// Handles the requests and receipts of Trestle.
struct LiteHandoff: ViewModifier {
    @ObservedObject var boards: LiteBoards

    func body(content: Content) -> some View {
        if let sender = boards.sender {
            content
                // SwiftUI doesn't name the app that opened a link. An app with a scene delegate needn't accept this.
                .onHandoff(sender, acceptsUnnamedApps: true) { result in boards.arrived(result) }
        } else {
            content
        }
    }
}
