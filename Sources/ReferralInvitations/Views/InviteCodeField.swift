#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralAppSupport
public import SwiftUI

#if canImport(UIKit)
import UIKit
#endif

/// A field for the code of somebody else, for users who were told it, such as on the phone.
///
/// ```swift
/// InviteCodeField(model)
/// ```
///
/// The view is localized in English and German. For other languages or other words, add the same keys to a string catalog of
/// your own.
public struct InviteCodeField: View {
    @ObservedObject private var model: InviteModel
    private let bundle: Bundle

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - model: The model with the text. Keep it as long as the view.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ model: InviteModel, bundle: Bundle? = nil) {
        self.model = model
        self.bundle = bundle ?? .module
    }

    /// The field, the mistake in it, and the button.
    public var body: some View {
        VStack(alignment: .leading) {
            TextField(text: $model.text, prompt: Text(own: "4F7K-9Q2M-XRKQ")) {
                Text("Invite Code", bundle: bundle)
            }
            .autocorrectionDisabled()
            #if canImport(UIKit)
            .keyboardType(.asciiCapable)
            .textInputAutocapitalization(.characters)
            #endif
            .onSubmit(submit)
            sentence
            Button(action: submit) {
                Text("Use Code", bundle: bundle)
            }
            // In a list, a plain button would react to a tap anywhere in the row, also on the field.
            .buttonStyle(.bordered)
            .disabled(!model.canSubmit)
        }
    }

    private func submit() { Task { await model.submit() } }

    @ViewBuilder private var sentence: some View {
        switch model.state {
        case .typing: EmptyView()
        case .wrong(.unexpectedCharacter): Text("A code has only digits and letters, and no U.", bundle: bundle)
        case .wrong(.wrongLength(let count)):
            Text("A code has 12 digits and letters. You have entered \(count).", bundle: bundle)
        case .wrong(.mistyped): Text("There is a mistake in the code. Please compare it.", bundle: bundle)
        case .own: Text("This is your own code. Give it to a friend.", bundle: bundle)
        case .accepted: Text("The code was accepted.", bundle: bundle)
        }
    }
}
#endif
