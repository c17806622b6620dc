#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !targetEnvironment(macCatalyst)
import Foundation
import SafariServices
import SwiftUI

extension View {
    /// Shows the web pages of links over the view.
    func opensLinksInApp() -> some View { modifier(BrowserModifier()) }
}

private struct BrowserModifier: ViewModifier {
    private struct Page: Identifiable {
        let address: URL

        var id: URL { address }
    }

    @State private var page: Page?

    func body(content: Content) -> some View {
        content
            .environment(\.openURL, OpenURLAction(handler: open))
            .sheet(item: $page) { Browser(address: $0.address).ignoresSafeArea() }
    }

    private func open(_ address: URL) -> OpenURLAction.Result {
        // With a scheme that isn't the web's, the browser would end the app.
        guard address.scheme == "https" else { return .systemAction }
        page = Page(address: address)
        return .handled
    }
}

private struct Browser: UIViewControllerRepresentable {
    let address: URL

    func makeUIViewController(context: Context) -> SFSafariViewController { SFSafariViewController(url: address) }

    func updateUIViewController(_ controller: SFSafariViewController, context: Context) {}
}
#elseif canImport(SwiftUI)
import SwiftUI

extension View {
    /// Does nothing: on a Mac and on visionOS, links open the user's browser.
    func opensLinksInApp() -> some View { self }
}
#endif
