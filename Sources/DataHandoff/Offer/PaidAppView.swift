#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralBasics
public import SwiftUI

/// Shows how to get from the free app to the paid one: get the other app, open it, and bring the data along.
///
/// ```swift
/// .sheet(item: $paidApp) { model in
///     PaidAppView(model) { Text("Trestle has room for as many boards as you like.") }
/// }
/// ```
///
/// The view is localized in English and German. For other languages or other words, add the same keys to a string
/// catalog of your own.
public struct PaidAppView<Reasons: View>: View {
    @ObservedObject private var model: PaidAppModel
    private let bundle: Bundle
    private let reasons: Reasons

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    ///   - reasons: A description of the paid app, in the app's own words.
    public init(_ model: PaidAppModel, bundle: Bundle? = nil, @ViewBuilder reasons: () -> Reasons) {
        self.model = model
        self.bundle = bundle ?? .module
        self.reasons = reasons()
    }

    /// The reasons, the steps, and the buttons.
    public var body: some View {
        Form {
            Section {
                reasons
            }
            Section {
                step("1.circle", Text("Get \(own: model.name) from the App Store.", bundle: bundle))
                step("2.circle", Text("Open \(own: model.name).", bundle: bundle))
                step("3.circle", Text("Bring your data along. It also stays here.", bundle: bundle))
                Text("A link is copied, so that \(own: model.name) can offer this.", bundle: bundle)
                    .font(.subheadline)
                    .foregroundStyle(.secondary)
            }
            Section {
                progress
                if model.state != .opening {
                    Button {
                        model.get()
                    } label: {
                        Text("Get \(own: model.name)", bundle: bundle)
                    }
                }
                Button(role: .cancel) {
                    model.close()
                } label: {
                    Text("Not Now", bundle: bundle)
                }
            }
        }
        .storePage(model.page, isPresented: $model.showsStore, clock: model.clock)
    }

    private func step(_ symbol: String, _ text: Text) -> some View {
        Label {
            text
        } icon: {
            Image(systemName: symbol)
        }
    }

    @ViewBuilder private var progress: some View {
        switch model.state {
        case .ready: EmptyView()
        case .opening: ProgressView { Text("Opening \(own: model.name)…", bundle: bundle) }
        case .store: storeLink
        case .opened: Text("Continue in \(own: model.name).", bundle: bundle)
        case .failed(let error):
            FailureRows(error: error, sentence: failure, bundle: bundle)
            storeLink
        }
    }

    private var failure: Text {
        Text("\(own: model.name) could not be opened. Try again, or look for it in the App Store.", bundle: bundle)
    }

    /// For devices on which the system doesn't show the page here, and after an error.
    @ViewBuilder private var storeLink: some View {
        if let url = URL(string: model.page.address) {
            Link(destination: url) { Text("Show in the App Store", bundle: bundle) }
        }
    }
}
#endif
