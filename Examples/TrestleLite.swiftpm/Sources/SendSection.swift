import DataHandoff
import SwiftUI

/// Sends the boards without a request, and shows the result.
struct SendSection: View {
    @ObservedObject var boards: LiteBoards

    var body: some View {
        Section("Trestle") {
            Button("Export to Trestle") {
                Task { await boards.invite() }
            }
            .accessibilityIdentifier("export")
            Button("Make a file") {
                Task { await boards.makeFile() }
            }
            .accessibilityIdentifier("make-file")
            if let file = boards.file { ShareLink(item: file) }
            if let news = boards.news {
                Text(verbatim: news)
                    .accessibilityIdentifier("news")
            }
        }
    }
}
