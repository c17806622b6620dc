#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import ReferralBasics
import SwiftUI

/// Tells the user that something failed, and what to do. An error without a sentence of its own adds its description, which is
/// in English, for a message to the developer.
struct FailureRows: View {
    let error: HandoffError
    /// The sentence for an error that has none of its own.
    let sentence: Text
    let bundle: Bundle

    var body: some View {
        switch error {
        case .noSpace:
            WarningLabel(
                text: Text("There is no space left on this device. Free up some space, and try again.", bundle: bundle)
            )
        case .fileExists:
            WarningLabel(
                text: Text("Files with the same names are already here, so nothing was added.", bundle: bundle)
            )
        default:
            WarningLabel(text: sentence)
            Text(shown: error.description)
                .font(.subheadline)
                .foregroundStyle(.secondary)
        }
    }
}

/// A sentence with a warning sign.
struct WarningLabel: View {
    let text: Text

    var body: some View {
        Label {
            text
        } icon: {
            Image(systemName: "exclamationmark.triangle")
        }
    }
}
#endif
