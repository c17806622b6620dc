#if canImport(UIKit)
import Foundation
import ReferralBridge
import StoreKit
import SwiftUI
import TestSupport
import Testing

@testable import Trestle
@testable import Unlocks

/// A person with Trestle on a phone, and the App Store, whose clock is right.
@MainActor
final class WeekStage {
    /// What the person sees of Trestle's screen: the boards that they make, and the shop.
    struct Screen: View {
        let boards: NewBoardSection
        let shop: ShopSection
        var body: some View {
            List {
                boards
                shop
            }
        }
    }

    private struct Purchase {
        let product: String
        let date: Date
        var refund: Date?
    }

    private static let firstDay = Fixture.now.date
    private static let examples = URL(filePath: #filePath).appending(path: "../../../../../Examples").standardized
    private nonisolated let site: CatalogServer
    private let catalog: ShopCatalog
    private let clock = Fixture.clock()
    /// A folder for each launch, with what the one before has saved.
    private var folders: [URL] = []
    private var unlocks: UnlockCenter?
    private var purchases: [Purchase] = []
    /// The App Store's time.
    private var time = WeekStage.firstDay
    private var isInstalled = false
    /// How far the phone's clock is ahead, in seconds.
    private var lead = 0.0
    private var boards: Boards?
    private var lastProblem: UnlocksProblem?
    private(set) var screen: Screen?
    private(set) var shop: ShopView?

    init() throws {
        site = try CatalogServer()
        let file = Self.examples.appending(path: "Trestle.swiftpm/Sources/catalog.json")
        catalog = try ShopCatalog(json: Data(contentsOf: file))
        let prices = ["$0.00", "$2.99", "$1.99", "$0.99"]
        let items = catalog.items.filter { $0.productID != nil }
        let products = zip(items, prices).map { item, price in
            Product(
                id: item.productID?.rawValue ?? "",
                displayName: item.text.text(for: ["en"])?.title ?? "",
                displayPrice: price,
                period: item.kind == .subscription ? .init(unit: .month, value: 1) : nil
            )
        }
        Product.answer = { identifiers in products.filter { identifiers.contains($0.id) } }
        Product.onPurchase = { [weak self] product in
            guard let self else { return .userCancelled }
            purchases.append(Purchase(product: product.id, date: time))
            sign()
            return .success(transaction(purchases.count - 1))
        }
    }

    func tearDown() {
        Transaction.history.clear()
        Product.answer = { _ in [] }
        Product.onPurchase = { _ in .userCancelled }
        AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: Date())) }
        for folder in folders { try? FileManager.default.removeItem(at: folder) }
    }

    // MARK: The App Store

    private func transaction(_ index: Int) -> VerificationResult<Transaction> {
        let purchase = purchases[index]
        return .verified(
            Transaction(
                id: UInt64(index + 1),
                productID: purchase.product,
                purchaseDate: purchase.date,
                revocationDate: purchase.refund,
                signedDate: time
            )
        )
    }

    /// The App Store signs what the person has, now.
    private func sign() {
        let transactions = purchases.indices.map(transaction)
        let entitlements = purchases.indices.filter { purchases[$0].refund == nil }.map(transaction)
        Transaction.history.change { ($0.all, $0.entitlements) = (transactions, entitlements) }
        let (firstDay, time) = (Self.firstDay, time)
        AppTransaction.answer = {
            let purchase = AppTransaction(
                originalPurchaseDate: firstDay,
                originalAppVersion: "230",
                platform: "iOS",
                signedDate: time
            )
            return .verified(purchase)
        }
    }

    /// The App Store gives the money back for the latest purchase.
    func refund() {
        purchases[purchases.count - 1].refund = time
        sign()
        Transaction.history.send(transaction(purchases.count - 1))
    }

    // MARK: The server with the boards

    /// The address of a file that the catalog names.
    private nonisolated func address(of url: URL) -> URL {
        site.address.deletingLastPathComponent().appending(path: url.path().dropFirst())
    }

    /// Asks the tests' server, one file after the other. No busy computer reaches the time limit.
    private var downloads: ContentDownloads {
        ContentDownloads(simultaneousFiles: 1) { [self] part throws(DownloadError) in
            try await part.load(from: address(of: part.file.url), timeLimit: 600)
        }
    }

    /// Puts the gold boards on the server, which answers some files otherwise at first, by number.
    func putGold(_ manners: [Int: [CatalogServer.Manner]]) async throws {
        for (number, file) in try #require(catalog.item(named: "gold-boards")).files.enumerated() {
            let body = try Data(contentsOf: Self.examples.appending(path: "TrestleSite/\(file.path)"))
            let answers = ((manners[number + 1] ?? []) + [.file]).map {
                CatalogServer.Answer(headers: ["ETag": "\"\(number)\""], body: body, manner: $0)
            }
            try await site.answer(answers, at: address(of: file.url))
        }
    }

    /// The number of times that the app has asked for each of the gold boards.
    func requests() async throws -> [Int] {
        var counts: [Int] = []
        for file in try #require(catalog.item(named: "gold-boards")).files {
            counts.append(try await site.requests(at: address(of: file.url)).count)
        }
        return counts
    }

    /// The number of gold boards that have arrived, and are as the server has them.
    func goldBoards() throws -> Int {
        let files = try #require(catalog.item(named: "gold-boards")).files
        let folder = try #require(folders.last).appending(path: "Unlocks/content/purchase-2")
        return try files.count { file in
            let expected = try Data(contentsOf: Self.examples.appending(path: "TrestleSite/\(file.path)"))
            return expected == (try? Data(contentsOf: folder.appending(path: file.path)))
        }
    }

    // MARK: The phone

    /// The person opens the app after some days. The first day is 1.
    func open(day: Double, seconds: Double = 0) async throws {
        (boards, screen, shop) = (nil, nil, nil)
        weak let old = unlocks
        unlocks = nil
        clock.endSleeps()
        await until("the app has ended") { old == nil }
        let folder = FileManager.default.temporaryDirectory.appending(path: "week-\(UUID().uuidString)")
        if isInstalled, let last = folders.last {
            try FileManager.default.copySaved(last, to: folder)
        } else {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        folders.append(folder)
        isInstalled = true
        time = Self.firstDay + (day - 1) * 86_400 + seconds
        clock.now = Timestamp(time + lead)
        sign()
        let context = ShopContext(appVersion: "2.0", platform: .iOS, languages: ["en"])
        let unlocks = TrestleShop.open(
            catalog,
            in: folder,
            context: context,
            clock: clock.clock,
            downloads: downloads
        )
        lastProblem = nil
        unlocks.onProblem = { [weak self] problem in self?.lastProblem = problem }
        let boards = Boards(in: folder, storage: folder.appending(path: "storage"))
        let report: @MainActor (String) -> Void = { Issue.record("\($0)") }
        screen = Screen(
            boards: NewBoardSection(unlocks: unlocks, boards: boards, report: report),
            shop: ShopSection(unlocks: unlocks, report: report)
        )
        let shop = ShopView(unlocks, terms: TrestleShop.terms, privacy: TrestleShop.privacy)
        (self.unlocks, self.boards, self.shop) = (unlocks, boards, shop)
        await until("the store has answered") {
            let rendering = Rendering(shop)
            let isDelivered = !rendering.texts.contains("Paid, being delivered") && rendering.bars.isEmpty
            return unlocks.products != nil && !unlocks.isLoading && (isDelivered || self.isLineBroken)
        }
    }

    /// Some time passes while the app is open, until something has happened.
    func wait(seconds: Double, until what: Comment, _ condition: () -> Bool) async {
        time += seconds
        clock.now = Timestamp(time + lead)
        await until(what) {
            clock.endSleeps()
            return condition()
        }
    }

    /// The person deletes the app, and installs it again on a phone whose clock is ahead by some days.
    func reinstall(daysAhead: Double) { (isInstalled, lead) = (false, daysAhead * 86_400) }

    // MARK: What the person does and sees

    /// A tap on the last button with a title, in English or as the store writes it.
    func press(_ title: String, in view: (some View)?) throws {
        let buttons = Rendering(try #require(view)).buttons
        try #require(buttons.last { ($0.title == title || $0.label == title) }, "there is no \(title)").press()
    }

    /// Whether the app has noticed that the line is broken, since it was opened.
    var isLineBroken: Bool { if case .notDownloaded = lastProblem { true } else { false } }

    /// The part of the gold boards that is there after so many files and half of the next one.
    func share(ofFiles count: Int) throws -> Double {
        let lengths = try #require(catalog.item(named: "gold-boards")).files.map(\.length)
        let bytes = lengths[..<count].reduce(0, +) + lengths[count] / 2
        return Double(bytes) / Double(lengths.reduce(0, +))
    }

    /// The shop's content, such as that of the trial, the first purchase.
    var content: [String] {
        let path = folders.last?.appending(path: "Unlocks/content").path() ?? ""
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    /// A tap on *OK*.
    func dismissAlert(of view: (some View)?) throws {
        let rendering = Rendering(try #require(view))
        let dismiss = try #require(rendering.dismissAlert, "there is no alert")
        dismiss()
    }

    /// The shop has thanked the person, and has nothing more to do.
    func thanked() async { await until("it is bought") { isThanked } }

    var isThanked: Bool {
        let rendering = Rendering(shop)
        return rendering.alert != nil && !rendering.buttons.contains(where: \.isDisabled)
    }

    /// The price of an item, which is the title of its button.
    func price(_ item: ItemID) throws -> String {
        let product = try #require(catalog.items.first { $0.id == item }?.productID)
        return try #require(unlocks?.products?[product]?.price)
    }

    /// The title of an item.
    func title(_ item: ItemID) throws -> String {
        try #require(catalog.items.first { $0.id == item }?.text.text(for: ["en"])?.title)
    }

    /// The number of boards that the person has made.
    var count: Int { boards?.names.count ?? 0 }

    func isOpen(_ unlock: UnlockID) -> Bool { unlocks?.state(of: unlock).isUnlocked ?? false }
}
#endif
