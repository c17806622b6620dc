#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import StoreKit
import SwiftUI

extension View {
    /// Shows a shop's messages, the system's sheets that its buttons open, and the pages of its links: on the page of an item,
    /// or on the view behind it.
    func shopSheets(of shopping: Shopping, onPage: Bool = false) -> some View {
        modifier(ShopSheets(shopping: shopping, onPage: onPage)).opensLinksInApp()
    }
}

private struct ShopSheets: ViewModifier {
    @ObservedObject var shopping: Shopping
    let onPage: Bool

    func body(content: Content) -> some View {
        accountSheets(redeemSheet(content))
            .alert(shopping.news?.title ?? Text(own: ""), isPresented: $shopping[.news, onPage: onPage]) {
            } message: {
                shopping.news?.message
            }
    }

    @ViewBuilder private func redeemSheet(_ content: Content) -> some View {
        if #available(iOS 16, macCatalyst 18, macOS 15, visionOS 1, *) {
            content.offerCodeRedemption(isPresented: $shopping[.redemption, onPage: onPage]) { _ in
                Task { [unlocks = shopping.unlocks] in await unlocks.refresh() }
            }
        } else {
            content
        }
    }

    @ViewBuilder private func accountSheets(_ content: some View) -> some View {
        let isRefunding = $shopping[.refund, onPage: onPage]
        #if canImport(UIKit)
        content
            .manageSubscriptionsSheet(isPresented: $shopping[.subscriptions, onPage: onPage])
            .refundRequestSheet(for: shopping.refundedTransaction, isPresented: isRefunding)
        #else
        if #available(macOS 14, *) {
            content.refundRequestSheet(for: shopping.refundedTransaction, isPresented: isRefunding)
        } else {
            content
        }
        #endif
    }
}
#endif
