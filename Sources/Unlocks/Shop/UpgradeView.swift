#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralBasics
public import SwiftUI

/// One item of the shop, for the place where something is locked or a limit is reached.
///
/// ```swift
/// if boards.count == 10 { UpgradeView(unlocks, item: "full") }
/// ```
///
/// It shows what is missing, what the item is, what it costs and how long it lasts, and the buttons of ``ShopView``. If the
/// user has bought the item, it also has the buttons of the item's page.
public struct UpgradeView: View {
    @ObservedObject private var unlocks: UnlockCenter
    @StateObject private var shopping: Shopping
    private let choice: Choice
    private let reason: Text?
    private var purchase: (@MainActor (CatalogItem) -> Void)?

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: The center whose catalog has the item.
    ///   - item: The item's name in the catalog.
    ///   - reason: The first line, which explains what is missing, such as *Ten boards are free.* It isn't shown to users who have
    ///     the item. If it is `nil` and the item opens something that is locked, the line names the item, or offers to
    ///     try it.
    ///   - terms: The address of the terms of use. A subscription needs it.
    ///   - privacy: The address of the privacy policy. A subscription needs it.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(
        _ unlocks: UnlockCenter,
        item: ItemID,
        reason: Text? = nil,
        terms: URL? = nil,
        privacy: URL? = nil,
        bundle: Bundle? = nil
    ) {
        self.unlocks = unlocks
        choice = .item(item)
        self.reason = reason
        _shopping = StateObject(
            wrappedValue: Shopping(unlocks, terms: terms, privacy: privacy, bundle: bundle)
        )
    }

    /// Creates a view of the items that open an unlock.
    init(_ unlocks: UnlockCenter, opening unlock: UnlockID, _ links: ShopLinks) {
        self.unlocks = unlocks
        choice = .opening(unlock)
        reason = nil
        _shopping = StateObject(
            wrappedValue: Shopping(unlocks, terms: links.terms, privacy: links.privacy, bundle: nil)
        )
    }

    /// The content of the view.
    private enum Choice {
        case item(ItemID)
        case opening(UnlockID)
    }

    private var offer: ShopOffer? {
        switch choice {
        case .item(let item): shopping.offer(of: item)
        case .opening(let unlock): shopping.offer(opening: [unlock])
        }
    }

    /// Calls a closure after each purchase, with the item.
    ///
    /// - Parameter action: The closure. The item's content may not be delivered yet.
    /// - Returns: The view.
    public func onPurchase(_ action: @escaping @MainActor (CatalogItem) -> Void) -> UpgradeView {
        var view = self
        view.purchase = action
        return view
    }

    /// The item, and the buttons.
    public var body: some View {
        let offer = offer
        List {
            UnreachedSection(unlocks: unlocks, shopping: shopping)
            if let offer {
                Section {
                    if !offer.isTheirs, let reason = reason ?? defaultReason(for: offer) { reason }
                    if let icon = offer.item.icon { PictureView(icon, isIcon: true) }
                    OfferDescription(shopping: shopping, offer: offer)
                    Paragraphs(of: offer)
                    OfferStatus(shopping: shopping, offer: offer, purchase: purchase)
                }
                PurchaseSection(unlocks: unlocks, shopping: shopping, offer: offer)
                LegalSection(shopping: shopping, isSubscriptionOffered: offer.item.kind == .subscription)
            } else {
                Text("This is not for sale now.", bundle: shopping.bundle)
            }
            Section { ShopButtons(unlocks: unlocks, shopping: shopping, offers: [offer].compactMap(\.self)) }
            CloseSection(bundle: shopping.bundle)
        }
        .sheetSize()
        .shopSheets(of: shopping)
        .task { await shopping.appear() }
    }

    /// The sentence that names the item, or says that it is a trial; `nil` if nothing that it opens is locked.
    private func defaultReason(for offer: ShopOffer) -> Text? {
        guard offer.item.grants.contains(where: { unlocks.state(of: $0).isLocked }) else { return nil }
        if case .trial = offer.item.kind {
            return Text("This is locked. You can try it for free.", bundle: shopping.bundle)
        }
        return Text("To continue, you need: \(own: shopping.title(of: offer))", bundle: shopping.bundle)
    }
}

/// The view of ``Unlocked`` for what is locked, if the app has no view of its own: an item that opens it and that the user is
/// buying or has paid for, or else the first item of the catalog that opens it and can be bought. If there is none, the view says
/// so, and purchases can be restored.
public struct LockedView: View {
    @Environment(\.unlocks) private var unlocks
    @Environment(\.shopLinks) private var links
    private let unlock: UnlockID

    init(_ unlock: UnlockID) { self.unlock = unlock }

    /// An ``UpgradeView`` for the item.
    public var body: some View {
        if let unlocks { UpgradeView(unlocks, opening: unlock, links) }
    }
}

extension Unlocked where Otherwise == LockedView, Unknown == EmptyView {
    /// Creates a view that offers an item to users who don't have the unlock.
    ///
    /// - Parameters:
    ///   - unlock: The name of the unlock.
    ///   - content: The view for users who have the unlock, and while the state isn't known.
    public init(_ unlock: UnlockID, @ViewBuilder content: @escaping () -> Content) {
        self.init(unlock, content: content) { LockedView(unlock) }
    }
}

extension Unlocked where Otherwise == LockedView {
    /// Creates a view that offers an item to users who don't have the unlock, with a third view for the unknown state.
    ///
    /// - Parameters:
    ///   - unlock: The name of the unlock.
    ///   - content: The view for users who have the unlock.
    ///   - unknown: The view while the state isn't known. It shouldn't ask users to pay.
    public init(
        _ unlock: UnlockID,
        @ViewBuilder content: @escaping () -> Content,
        @ViewBuilder unknown: @escaping () -> Unknown
    ) {
        self.init(unlock, content: content, otherwise: { LockedView(unlock) }, unknown: unknown)
    }
}

#if canImport(UIKit)
/// The shop for an app without SwiftUI.
///
/// ```swift
/// present(ShopViewController(unlocks, terms: terms, privacy: privacy), animated: true)
/// ```
public final class ShopViewController: UIHostingController<ShopView> {
    /// Creates a controller.
    ///
    /// - Parameters:
    ///   - unlocks: The center that the shop shows.
    ///   - terms: The address of the terms of use. A shop with a subscription needs it.
    ///   - privacy: The address of the privacy policy. A shop with a subscription needs it.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(_ unlocks: UnlockCenter, terms: URL? = nil, privacy: URL? = nil, bundle: Bundle? = nil) {
        super.init(rootView: ShopView(unlocks, terms: terms, privacy: privacy, bundle: bundle))
    }

    /// Unavailable: a controller in a storyboard has no center.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }
}
#endif
#endif
