import DataHandoff
import SwiftUI

/// Asks the user before anything is sent.
struct QuestionSection: View {
    let boards: LiteBoards
    let delivery: HandoffDelivery

    var body: some View {
        Section("Trestle asks for your boards") {
            let size = Int64(delivery.totalLength).formatted(.byteCount(style: .file))
            Text("Send \(size) to Trestle?")
            Button("Send") {
                Task { await boards.send(delivery) }
            }
            .accessibilityIdentifier("send")
            Button("Not now") { boards.delivery = nil }
                .accessibilityIdentifier("not-now")
        }
    }
}
