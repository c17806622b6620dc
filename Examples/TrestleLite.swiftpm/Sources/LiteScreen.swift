import DataHandoff
import SwiftUI

/// The only screen: the boards, and the handoff to Trestle.
struct LiteScreen: View {
    @StateObject private var boards = LiteBoards()

    var body: some View {
        List {
            if let delivery = boards.delivery { QuestionSection(boards: boards, delivery: delivery) }
            Section("Boards") {
                ForEach(LiteBoards.names, id: \.self) { name in Text(name) }
            }
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
            content.onHandoff(sender) { result in boards.arrived(result) }
        } else {
            content
        }
    }
}
