#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralAppSupport
public import SwiftUI

/// Shows a user how to invite others: the QR code and the code of their invitation, what both of them get, and how many have
/// come.
///
/// ```swift
/// InviteView(model, yours: "You get ten hints.", theirs: "Your friend gets the gold boards.")
/// ```
///
/// When the view appears, it reads the guestbook. The view is localized in English and German. For other languages or other
/// words, add the same keys to a string catalog of your own.
public struct InviteView: View {
    @ObservedObject private var model: InviteModel
    @State private var isCopied = false
    private let yours: String
    private let theirs: String
    private let message: String
    private let bundle: Bundle

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - model: The model of the invitation. Keep it as long as the view.
    ///   - yours: What the user gets, in their language.
    ///   - theirs: What the friend gets.
    ///   - message: The sentence that is shared with the address; `nil` for the library's.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ model: InviteModel, yours: String, theirs: String, message: String? = nil, bundle: Bundle? = nil) {
        self.model = model
        self.yours = yours
        self.theirs = theirs
        self.bundle = bundle ?? .module
        let standard = "Have a look at this app. With my link, both of us get something."
        self.message = message ?? self.bundle.localizedString(forKey: standard, value: nil, table: nil)
    }

    /// The invitation.
    public var body: some View {
        List {
            Section {
                Text(own: yours)
                Text(own: theirs)
            } header: {
                Text("Invite a Friend", bundle: bundle)
                    .accessibilityAddTraits(.isHeader)
            }
            Section {
                if let invitation = model.invitation {
                    picture
                    if let code = try? InviteCode(invitation.referrer) { large(code) }
                    ShareButton(address: invitation.address, message: message, bundle: bundle)
                    copyButton(invitation)
                } else if model.problem != nil {
                    Text("Your invitation can’t be made right now.", bundle: bundle)
                }
            }
            Section {
                if let count = model.count { Text("\(count) friends have come", bundle: bundle) }
            }
        }
        #if os(macOS)
        // A sheet is as large as what is in it, and a list asks for almost no room.
        .frame(minWidth: 320, minHeight: 480)
        #endif
        .task { await model.load() }
    }

    @ViewBuilder private var picture: some View {
        if let image = model.qrCode {
            Image(image, scale: 1, label: Text("QR code of your invitation", bundle: bundle))
                .interpolation(.none)
                .resizable()
                .scaledToFit()
                .frame(maxWidth: 240)
                // Cameras need a light margin, also in the dark.
                .padding()
                .background(Color.white)
        }
    }

    private func large(_ code: InviteCode) -> some View {
        Text(own: code.text)
            .font(.title)
            .accessibilityLabel(Text("Your code: \(own: code.spelled)", bundle: bundle))
    }

    private func copyButton(_ invitation: Invitation) -> some View {
        Button {
            invitation.copy()
            isCopied = true
        } label: {
            if isCopied { Text("Copied", bundle: bundle) } else { Text("Copy Link", bundle: bundle) }
        }
    }
}
#endif
