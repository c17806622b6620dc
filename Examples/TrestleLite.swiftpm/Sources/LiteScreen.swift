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
        .onOpenLink { url in Task { await boards.open(url) } }
    }
}
