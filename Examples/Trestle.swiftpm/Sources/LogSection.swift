import Foundation
import ReferralBridge
import SwiftUI

/// The log, with the time of each outcome, and the counts, which the user can share.
struct LogSection: View {
    let log: OutcomeLog
    let counts: ArrivalCounts
    /// The counts as they are shared; `nil` until the user asks for them.
    @State private var export: String?

    var body: some View {
        Section("Log") {
            Button("Show the counts") { export = (try? counts.export()) ?? "The counts can't be read." }
                .accessibilityIdentifier("counts")
            if let export {
                Text(verbatim: export.shown)
                ShareLink(item: export)
            }
            ForEach(log.entries.indices, id: \.self) { index in
                let entry = log.entries[index]
                Text(verbatim: "\(entry.time.formatted(date: .omitted, time: .standard)) \(entry.cause): \(entry.text)")
                    .accessibilityIdentifier("outcome")
            }
        }
    }
}
