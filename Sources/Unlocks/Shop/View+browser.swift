#if canImport(UIKit) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS) && !os(visionOS) && !targetEnvironment(macCatalyst)
import Foundation
import SafariServices
import SwiftUI

extension View {
    /// Shows the web pages of links over the view.
    func opensLinksInApp(of shopping: Shopping, onPage: Bool) -> some View {
        modifier(BrowserModifier(shopping: shopping, onPage: onPage))
    }
}

private struct BrowserModifier: ViewModifier {
    @ObservedObject var shopping: Shopping
    let onPage: Bool

    func body(content: Content) -> some View {
        content
            .environment(\.openURL, OpenURLAction(handler: open))
            .sheet(item: $shopping[webPageOnPage: onPage], onDismiss: { shopping.didClose(.web) }) { page in
                Browser(address: page.address).ignoresSafeArea()
            }
    }

    private func open(_ address: URL) -> OpenURLAction.Result {
        // With a scheme that isn't the web's, the browser would end the app.
        guard address.scheme == "https" else { return .systemAction }
        shopping.webPage = Shopping.WebPage(address: address)
        return .handled
    }
}

private struct Browser: UIViewControllerRepresentable {
    let address: URL

    func makeUIViewController(context: Context) -> SFSafariViewController { SFSafariViewController(url: address) }

    func updateUIViewController(_ controller: SFSafariViewController, context: Context) {}
}
#endif
