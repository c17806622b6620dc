#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Foundation
import StoreKit
import SwiftUI

/// The buttons that a shop always has, and one to try again while an offer is in doubt.
struct ShopButtons: View {
    @ObservedObject var unlocks: UnlockCenter
    @ObservedObject var shopping: Shopping
    /// The offers that are shown.
    let offers: [ShopOffer]

    var body: some View {
        // If the store can't be reached, another section has the button.
        if !unlocks.isLoading, !unlocks.isUnreached, offers.contains(where: { $0.doubt != nil }) {
            TryAgainButton(shopping: shopping)
        }
        Button {
            shopping.restore()
        } label: {
            Text("Restore Purchases", bundle: shopping.bundle)
        }
        .disabled(shopping.work != nil)
        if #available(iOS 16, macCatalyst 18, macOS 15, visionOS 1, *) {
            Button {
                shopping.isRedeeming = true
            } label: {
                Text("Redeem Code", bundle: shopping.bundle)
            }
            .disabled(shopping.work != nil)
        }
    }
}

/// The text and the links that App Review requires beside a subscription, and any links that the app passes.
struct LegalSection: View {
    let shopping: Shopping
    let isSubscriptionOffered: Bool

    var body: some View {
        if isSubscriptionOffered || shopping.terms != nil || shopping.privacy != nil {
            Section {
                if isSubscriptionOffered {
                    Text(
                        "A subscription renews by itself until you cancel it in the settings of your Apple Account.",
                        bundle: shopping.bundle
                    )
                    .font(.subheadline)
                    .foregroundStyle(.secondary)
                }
                if let terms = shopping.terms {
                    Link(destination: terms) { Text("Terms of Use", bundle: shopping.bundle) }
                }
                if let privacy = shopping.privacy {
                    Link(destination: privacy) { Text("Privacy Policy", bundle: shopping.bundle) }
                }
            }
        }
    }
}

extension View {
    /// Shows a shop's messages, the system's sheets that its buttons open, and the pages of its links: on the page of an item,
    /// or on the view behind it.
    func shopSheets(of shopping: Shopping, onPage: Bool = false) -> some View {
        modifier(ShoppingModifier(shopping: shopping, onPage: onPage))
    }
}

private struct ShoppingModifier: ViewModifier {
    @ObservedObject var shopping: Shopping
    let onPage: Bool

    func body(content: Content) -> some View {
        content
            .alert(shopping.news.title(shopping.bundle), isPresented: $shopping[\.hasNews, onPage: onPage]) {
            } message: {
                shopping.news.message(shopping.bundle)
            }
            .modifier(RedeemModifier(shopping: shopping, onPage: onPage))
            .modifier(AccountModifier(shopping: shopping, onPage: onPage))
            .opensLinksInApp(of: shopping, onPage: onPage)
    }
}

private struct RedeemModifier: ViewModifier {
    @ObservedObject var shopping: Shopping
    let onPage: Bool

    func body(content: Content) -> some View {
        let isPresented = $shopping[\.isRedeeming, onPage: onPage]
        if #available(iOS 16, macCatalyst 18, macOS 15, visionOS 1, *) {
            // Xcode 27 declares the first call, and deprecates the second one.
            #if compiler(>=6.4)
            if #available(iOS 27, macCatalyst 27, macOS 27, visionOS 27, *) {
                content.offerCodeRedemption(options: [], isPresented: isPresented) { _ in refresh() }
            } else {
                content.offerCodeRedemption(isPresented: isPresented) { _ in refresh() }
            }
            #else
            content.offerCodeRedemption(isPresented: isPresented) { _ in refresh() }
            #endif
        } else {
            content
        }
    }

    private func refresh() { Task { [unlocks = shopping.unlocks] in await unlocks.refresh() } }
}

private struct AccountModifier: ViewModifier {
    @ObservedObject var shopping: Shopping
    let onPage: Bool

    func body(content: Content) -> some View {
        let isRefunding = $shopping[\.isRefunding, onPage: onPage]
        #if canImport(UIKit)
        content
            .manageSubscriptionsSheet(isPresented: $shopping[\.isManaging, onPage: onPage])
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
