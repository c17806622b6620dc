#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
import ReferralAppSupport
public import SwiftUI

/// One item of the shop, for the place where something is locked or a limit is reached.
///
/// ```swift
/// if boards.count == 10 { UpgradeView(unlocks, item: "full") }
/// ```
///
/// It shows what is missing, and the item's page with its price and its buttons, like ``ShopView``. With another item, it shows side
/// by side what each of the two opens.
public struct UpgradeView: View {
    @StateObject private var shopping: Shopping
    private let choose: @MainActor (Shopping) -> ShopOffer?
    private let reason: Text?
    private let other: ItemID?

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - unlocks: The center whose catalog has the item.
    ///   - item: The item's name in the catalog.
    ///   - other: The name of an item to compare it with. What an item opens has the title of the item that opens that alone.
    ///   - reason: The first line, which explains what is missing, such as *Ten boards are free.* It isn't shown to users who have
    ///     the item. If it is `nil` and the item opens something that is locked, the line names the item, or offers to
    ///     try it.
    ///   - terms: The address of the terms of use. A subscription needs it.
    ///   - privacy: The address of the privacy policy. A subscription needs it.
    ///   - bundle: The bundle whose `Localizable` table has the view's texts; `nil` for the library's.
    public init(
        _ unlocks: UnlockCenter,
        item: ItemID,
        besides other: ItemID? = nil,
        reason: Text? = nil,
        terms: URL? = nil,
        privacy: URL? = nil,
        bundle: Bundle? = nil
    ) {
        choose = { $0.offer(of: item) }
        (self.reason, self.other) = (reason, other)
        let links = ShopLinks(terms: terms, privacy: privacy)
        _shopping = StateObject(wrappedValue: Shopping(unlocks, links, bundle: bundle))
    }

    /// Creates a view of an item that opens an unlock.
    init(_ unlocks: UnlockCenter, opening unlock: UnlockID, _ links: ShopLinks) {
        choose = { $0.offer(opening: [unlock]) }
        (reason, other) = (nil, nil)
        _shopping = StateObject(wrappedValue: Shopping(unlocks, links))
    }

    /// The item, and the buttons.
    public var body: some View {
        let offer = choose(shopping)
        let compared = other.flatMap(shopping.offer(of:))
        OfferPage(shopping: shopping, offer: offer, reason: offer.flatMap(reason), other: compared)
            .shopSheets(of: shopping)
            .task { await shopping.appear() }
    }

    /// The first line; `nil` if nothing is missing.
    private func reason(for offer: ShopOffer) -> Text? {
        guard !offer.isTheirs else { return nil }
        if let reason { return reason }
        guard offer.item.grants.contains(where: { shopping.unlocks.state(of: $0).isLocked }) else { return nil }
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
    @EnvironmentObject private var unlocks: UnlockCenter
    @Environment(\.shop) private var shop
    private let unlock: UnlockID

    /// Creates a view for an unlock, such as the second one of an ``Unlocked`` with three views.
    public init(_ unlock: UnlockID) { self.unlock = unlock }

    /// An ``UpgradeView`` for the item.
    public var body: some View { UpgradeView(unlocks, opening: unlock, shop.links) }
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
#endif
