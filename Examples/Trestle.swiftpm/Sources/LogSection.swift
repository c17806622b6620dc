import Foundation
import SwiftUI

/// The log, with the time of each outcome.
struct LogSection: View {
    let log: OutcomeLog

    var body: some View {
        Section("Log") {
            ForEach(log.entries.indices, id: \.self) { index in
                let entry = log.entries[index]
                Text(verbatim: "\(entry.time.formatted(date: .omitted, time: .standard)) \(entry.cause): \(entry.text)")
                    .accessibilityIdentifier("outcome")
            }
        }
    }
}
