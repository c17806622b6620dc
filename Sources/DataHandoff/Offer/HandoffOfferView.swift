#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralBasics
public import SwiftUI

/// Shows an offer of another app, and asks the user for a decision.
///
/// ```swift
/// .sheet(item: $question) { model in HandoffOfferView(model) }
/// ```
///
/// The view is localized in English and German. For other languages or other words, add the same keys to a string
/// catalog of your own.
public struct HandoffOfferView: View {
    @ObservedObject private var model: HandoffOfferModel
    private let bundle: Bundle

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - model: The model of the offer.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ model: HandoffOfferModel, bundle: Bundle? = nil) {
        self.model = model
        self.bundle = bundle ?? .module
    }

    /// The offer, and the buttons.
    public var body: some View {
        Form {
            Section {
                contents
            }
            Section {
                switch model.state {
                case .asking: question
                case .failed(let error):
                    failure(error)
                    question
                case .working(let choice): progress(choice)
                case .done, .declined: Text("Done", bundle: bundle)
                }
            }
        }
        // The user must choose a button, so that the app is notified.
        .interactiveDismissDisabled()
    }

    @ViewBuilder private var contents: some View {
        let manifest = model.offer.manifest
        let date = manifest.created.date.formatted(date: .long, time: .shortened)
        let size = Int64(manifest.totalLength ?? .max).formatted(.byteCount(style: .file))
        Text("Data from \(own: model.name)", bundle: bundle)
            .font(.headline)
            .accessibilityAddTraits(.isHeader)
        Text("Made \(own: date)", bundle: bundle)
        Text("\(manifest.files.count { !$0.isDefaults }) files, \(own: size)", bundle: bundle)
        if !model.offer.defaultsKeys.isEmpty { Text("With your settings", bundle: bundle) }
        if model.offer.wasAcceptedBefore {
            warning(Text("This data was brought over before.", bundle: bundle))
        }
        if model.offer.isOlderThanAccepted {
            warning(Text("Newer data was brought over before.", bundle: bundle))
        }
    }

    @ViewBuilder private var question: some View {
        ForEach(model.choices, id: \.self) { choice in
            Button(role: choice == .replace ? .destructive : nil) {
                model.choose(choice)
            } label: {
                switch choice {
                case .replace: Text("Replace What Is Here", bundle: bundle)
                case .add: Text("Add", bundle: bundle)
                case .merge: Text("Bring Over", bundle: bundle)
                }
            }
        }
        Button(role: .cancel) {
            model.decline()
        } label: {
            Text("Not Now", bundle: bundle)
        }
    }

    /// An error without a sentence of its own adds its description, which is in English, for a message to the developer.
    @ViewBuilder private func failure(_ error: HandoffError) -> some View {
        switch error {
        case .noSpace:
            warning(Text("There is no space left on this device. Free up some space, and try again.", bundle: bundle))
        case .fileExists:
            warning(Text("Files with the same names are already here, so nothing was added.", bundle: bundle))
        default:
            warning(Text("The data could not be brought over. Try again.", bundle: bundle))
            Text(shown: error.description)
                .font(.subheadline)
                .foregroundStyle(.secondary)
        }
    }

    private func warning(_ text: Text) -> some View {
        Label {
            text
        } icon: {
            Image(systemName: "exclamationmark.triangle")
        }
    }

    @ViewBuilder private func progress(_ choice: HandoffOfferModel.Choice) -> some View {
        ProgressView { Text("Bringing your data over…", bundle: bundle) }
        if choice == .merge {
            Button(role: .cancel) {
                model.cancel()
            } label: {
                Text("Cancel", bundle: bundle)
            }
        }
    }
}
#endif
