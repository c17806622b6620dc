import Foundation
import StoreKit
import SwiftUI
import TestSupport
import Testing

@testable import Unlocks

#if canImport(UIKit)
import UIKit
#endif

extension PlatformTests {
    /// Where the system's question for a purchase appears: where the user has tapped, also under a full-screen cover.
    @MainActor
    struct PurchasePlaceTests {
        private let store = StoreKitStore()

        init() {
            Product.asks = []
            Product.answer = { $0.map { Product(id: $0, displayPrice: "1 €") } }
            Product.onPurchase = { _ in .userCancelled }
        }

        /// A shop of the App Store's, whose folder is removed with the test.
        private func unlocks(_ folder: URL) async throws -> UnlockCenter {
            Transaction.history.clear()
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: Date())) }
            let items =
                #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],"text":{"en":{"title":"Gold"}}}"#
            let unlocks = UnlockCenter(
                store: store,
                catalog: try ShopCatalog(json: Data(#"{"format":1,"revision":1,"items":[\#(items)]}"#.utf8)),
                folder: folder,
                context: ShopContext(appVersion: "1.0", platform: .iOS, languages: ["en"]),
                appIdentifier: "com.example.trestle"
            )
            unlocks.start()
            await unlocks.refresh()
            return unlocks
        }

        private static func folder() -> URL {
            FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        }

        private func press(_ view: some View) async throws {
            let count = Product.asks.count
            try #require(Rendering(view).buttons.last { $0.title == "1 €" }).press()
            await until("the system asks") { Product.asks.count > count }
        }

        @Test("a shop passes the action of its window, and an item's page that of its sheet")
        func views() async throws {
            let folder = Self.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let unlocks = try await unlocks(folder)
            let shop = ShopView(unlocks)
            try await press(shop)
            await until("it is over") {
                unlocks.activity == nil && !Rendering(shop).buttons.contains(where: \.isDisabled)
            }
            try #require(Rendering(shop).buttons.first { $0.label == "Details of Gold" }).press()
            try await press(shop)
            await until("it is over") { unlocks.activity == nil }
            try await press(UpgradeView(unlocks, item: "gold"))
            #expect(Product.asks.map(\.action) == ["window", "sheet", "window"])
        }

        #if canImport(UIKit)
        private func window(_ state: UIScene.ActivationState = .foregroundActive) -> (UIWindowScene, UIViewController) {
            let root = UIViewController()
            return (UIWindowScene(forTests: root, state), root)
        }

        @Test("without a view, the question is over what is in front, however many covers there are")
        func inFront() async throws {
            defer { UIApplication.shared.connectedScenes = [] }
            let (_, other) = window(.background)
            let (_, root) = window()
            let (cover, second) = (UIViewController(), UIViewController())
            #expect(try await store.purchase("gold") == .cancelled)
            root.presentedViewController = cover
            #expect(try await store.purchase("gold") == .cancelled)
            cover.presentedViewController = second
            #expect(try await store.purchase("gold") == .cancelled)
            let anchors = Product.asks.map(\.anchor)
            #expect(
                anchors.map { $0.map(ObjectIdentifier.init) } == [root, cover, second].map { ObjectIdentifier($0) }
            )
            withExtendedLifetime(other) {}
        }

        @Test("what is going isn't in front any more")
        func going() async throws {
            defer { UIApplication.shared.connectedScenes = [] }
            let (_, root) = window()
            let (cover, question) = (UIViewController(), UIViewController())
            root.presentedViewController = cover
            cover.presentedViewController = question
            #expect(UIViewController.inFront === question)
            question.isBeingDismissed = true
            #expect(UIViewController.inFront === cover)
        }

        @Test("a view controller or a scene is named, and the question is there")
        func named() async throws {
            defer { UIApplication.shared.connectedScenes = [] }
            let (scene, root) = window()
            let (_, other) = window()
            let folder = Self.folder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let unlocks = try await unlocks(folder)
            #expect(try await unlocks.buy("gold", in: PurchasePlace(other)) == .cancelled)
            #expect(try await unlocks.buy("gold", in: PurchasePlace(root)) == .cancelled)
            #expect(try await unlocks.buy("gold", in: PurchasePlace(scene)) == .cancelled)
            let expected = [ObjectIdentifier(other), ObjectIdentifier(root), ObjectIdentifier(scene)]
            #expect(Product.asks.compactMap { $0.anchor.map(ObjectIdentifier.init) } == expected)
        }
        #endif

        @Test("an app without a window asks as StoreKit does by itself")
        func withoutWindow() async throws {
            #expect(try await store.purchase("gold") == .cancelled)
            #expect(Product.asks.map(\.product) == ["gold"])
            #expect(Product.asks.first?.anchor == nil)
        }
    }
}
