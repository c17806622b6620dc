#if canImport(UIKit)
import CoreGraphics
import Foundation
import ReferralInvitations
import ReferralBridge
import StoreKit
import SwiftUI
import TestSupport
import Testing

@testable import Trestle
@testable import Unlocks

/// People with Trestle on a phone each, who share a guestbook. One of the phones is in front.
@MainActor
final class InviteStage {
    /// A person's phone, and what the app has saved on it.
    @MainActor
    final class Phone {
        let person: String
        fileprivate let code: String?
        fileprivate var hasOnboarded: Bool
        fileprivate var hasBeenThanked = false
        /// A folder for each launch, with what the one before has saved.
        fileprivate var folders: [URL] = []

        /// A new phone. iCloud may have the person's code.
        init(_ person: String, code: String? = nil, hasOnboarded: Bool = false) {
            self.person = person
            self.code = code
            self.hasOnboarded = hasOnboarded
        }
    }

    private struct Codes: SharedCodes {
        let code: String?
        func load() -> String? { code }
        func save(_ text: String) {}
    }

    static let catalog = Result {
        let path = "../../../../../Examples/Trestle.swiftpm/Sources/catalog.json"
        return try ShopCatalog(json: Data(contentsOf: URL(filePath: #filePath).appending(path: path).standardized))
    }

    private static let defaults = UserDefaults.standard
    private let clock = Fixture.clock()
    private let guestbook = InMemoryGuestbook()
    private let appTransaction = AppTransaction.answer
    private var phones: [Phone] = []
    private var phone: Phone?
    private var tasks: [Task<Void, Never>] = []
    private var bridge: AppStoreBridge?
    private var invitations: TrestleInvitations?
    private var screen: TrestleScreen?
    private var lastRendering: Rendering?
    private(set) var shop: UnlockCenter?

    init() {
        Product.answer = { $0.map { Product(id: $0, displayPrice: "1 €") } }
    }

    func tearDown() async throws {
        await putAway()
        AppTransaction.answer = appTransaction
        Product.answer = { _ in [] }
        for folder in phones.flatMap(\.folders) { try FileManager.default.removeItem(at: folder) }
    }

    /// The names of those who have signed, and whose invitation they came by.
    var signatures: [String] {
        get async { await guestbook.contents.entries.map { "\($0.record.creator ?? "") by \($0.entry.referrer)" } }
    }

    /// The number of friends whom the shop has counted, and of the rewards for them.
    var counted: (friends: Int, rewards: Int) {
        let ledger = shop?.book.ledger
        return (ledger?.invited.values.first?.count ?? 0, ledger?.rewarded["thanks"]?.count ?? 0)
    }

    /// The person opens the app on a day, from the first one on. The store has answered then.
    func open(_ phone: Phone, day: Double, programs: [InviteProgram] = [TrestleInvitations.program]) async throws {
        await putAway()
        await Device.launchInFront()
        let folder = FileManager.default.temporaryDirectory.appending(path: "invite-\(UUID().uuidString)")
        if let last = phone.folders.last {
            try FileManager.default.copySaved(last, to: folder)
        } else {
            phones.append(phone)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let firstDay = Fixture.now.date + day * 86_400
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: firstDay)) }
        }
        phone.folders.append(folder)
        Self.defaults.set(phone.hasOnboarded, forKey: "hasOnboarded")
        Self.defaults.set(phone.hasBeenThanked, forKey: "hasBeenThanked")
        clock.now = Timestamp(Fixture.now.date + day * 86_400)
        let context = ShopContext(appVersion: "2.0", platform: .iOS, languages: ["en"])
        let shop = TrestleShop.open(try Self.catalog.get(), in: folder, context: context, clock: clock.clock)
        let invitations = TrestleInvitations(
            guestbook.shared(with: phone.person),
            in: folder,
            shop: shop,
            programs: programs,
            sharedCodes: Codes(code: phone.code),
            clock: clock.clock
        )
        var scanner = ReferralScanner(appID: TrestleApp.appID)
        scanner.landingPages = TrestleApp.landingPages
        let bridge = AppStoreBridge(
            scanner: scanner,
            pasteboard: InMemoryPasteboard([]),
            ledger: InMemoryLedger(),
            clock: clock.clock
        )
        (self.phone, self.shop, self.invitations, self.bridge) = (phone, shop, invitations, bridge)
        let counts = ArrivalCounts(
            appID: TrestleApp.appID,
            storage: FileLedger(folder.appending(path: "counts.json")),
            clock: clock.clock
        )
        screen = TrestleScreen(shop: shop, invitations: invitations, counts: counts, bridge: bridge)
        try appear()
        await until("the store has answered") { shop.products != nil && !shop.isLoading }
    }

    /// The app ends.
    private func putAway() async {
        guard let phone else { return }
        phone.hasOnboarded = Self.defaults.bool(forKey: "hasOnboarded")
        phone.hasBeenThanked = Self.defaults.bool(forKey: "hasBeenThanked")
        for key in ["hasOnboarded", "hasBeenThanked"] { Self.defaults.removeObject(forKey: key) }
        for task in tasks { task.cancel() }
        // The screen and its bridge keep each other.
        bridge?.onArrival = nil
        bridge?.onOutcome = nil
        invitations?.onArrival = nil
        weak let oldShop = shop
        weak let oldBridge = bridge
        (self.phone, shop, invitations, bridge, screen, lastRendering) = (nil, nil, nil, nil, nil, nil)
        tasks = []
        clock.endSleeps()
        await until("the app has ended") { oldShop == nil && oldBridge == nil }
    }

    // MARK: What the person does and sees

    var rendering: Rendering {
        let rendering = Rendering(screen, after: lastRendering)
        lastRendering = rendering
        return rendering
    }

    var texts: [String] { rendering.texts }

    func press(_ title: String) throws {
        let count = rendering.tasks.count
        try #require(rendering.buttons.last { $0.title == title }, "there is no \(title)").press()
        try appear(after: count)
    }

    func type(_ code: String) throws { try #require(rendering.textFields.first).type(code) }

    /// The person taps a link, or scans its code.
    func openLink(_ url: URL, as delivery: Rendering.Delivery = .address) throws {
        let rendering = rendering
        rendering.deliver(url, as: delivery)
        try appear(after: rendering.tasks.count)
    }

    /// The address in the QR code that is shown.
    var scannedCode: URL? {
        rendering.images.first.flatMap { URL(string: String(decoding: $0.image.message, as: UTF8.self)) }
    }

    func closeSheet() throws {
        let dismiss = try #require(rendering.dismissals.last)
        dismiss()
    }

    /// Begins the tasks of views that weren't there before. Those of inner views come first.
    private func appear(after count: Int = 0) throws {
        let tasks = rendering.tasks
        for task in tasks.prefix(max(0, tasks.count - count)) {
            nonisolated(unsafe) let task = task
            self.tasks.append(Task { await task() })
        }
    }
}
#endif
