import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

/// A shop with every kind of offer, a store that plays a script, and what an app keeps.
@MainActor
final class ShopStage {
    static let items = """
        {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],
         "text":{"en":{"title":"Gold boards","detail":"Forty more."}}},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"],
         "text":{"en":{"title":"Ten hints"}}},
        {"id":"pencil","kind":"nonConsumable","grants":["pencil"],"free":true,"text":{"en":{"title":"Pencil"}}},
        {"id":"silver","product":"silver","kind":"nonConsumable","grants":["silver"],"includedIn":["full"]},
        {"id":"ruby","product":"ruby","kind":"nonConsumable","grants":["ruby"],"minVersion":"2.1","belowMinimum":"updateFirst"},
        {"id":"lead","product":"lead","kind":"nonConsumable","grants":["lead"]},
        {"id":"tin","product":"tin","kind":"nonConsumable","grants":["tin"],"enabled":false}
        """

    let store = ScriptedStore(products: [
        .init(id: "gold", price: "2,99 €"),
        .init(id: "hints", price: "0,99 €", kind: .consumable),
    ])
    let unlocks: UnlockCenter
    let clock = Fixture.clock()
    let site = HeldSite()
    /// What the app does to deliver.
    var deliver: UnlockCenter.Deliver = { _ in }
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// A launch of the app. A broken folder can't be opened until it is repaired.
    init(
        items: String = ShopStage.items,
        edition: String? = nil,
        paidBefore: PaidBefore? = nil,
        isBroken: Bool = false,
        wrap: (ScriptedStore) -> any PurchaseStore = { $0 }
    ) throws {
        // A file where the folder belongs.
        if isBroken { try Data().write(to: folder) }
        let reward = #"{"id":"welcome","parameter":"pack","value":"gold","grants":["gold"]}"#
        let json = #"{"format":1,"revision":1,"items":[\#(items)],"rewards":[\#(reward)]}"#
        let box = Box()
        unlocks = UnlockCenter(
            store: wrap(store),
            catalog: try ShopCatalog(json: Data(json.utf8)),
            folder: folder,
            context: ShopContext(appVersion: "1.0", platform: .iOS, edition: edition, languages: ["en"]),
            paidBefore: paidBefore,
            clock: clock.clock,
            downloads: site.downloads
        ) { delivery in try await box.stage?.deliver(delivery) }
        box.stage = self
        store.clock = clock.clock
    }

    /// A shop whose store doesn't answer for as long as it is held.
    static func held(items: String) throws -> (ShopStage, HeldStore) {
        var held: HeldStore?
        let stage = try ShopStage(items: items) { store in
            let new = HeldStore(store)
            held = new
            return new
        }
        return (stage, try #require(held))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The app is launched, and the store has said all that it says at a launch.
    func start() async {
        unlocks.start()
        await until("the store was asked") {
            (unlocks.products != nil || unlocks.isOffline) && !unlocks.isLoading
        }
    }

    /// Lets the folder be opened.
    func repair() throws { try FileManager.default.removeItem(at: folder) }

    @MainActor
    private final class Box {
        weak var stage: ShopStage?
    }
}

extension View {
    /// Presses the last button with a title.
    @MainActor
    func press(_ title: String) throws {
        try #require(Rendering(self).buttons.last { $0.title == title }, "there is no \(title)").press()
    }

    /// Opens the page of an item, and returns what it adds to the list.
    @MainActor
    @discardableResult
    func openPage(of title: String) throws -> [String] {
        let list = Rendering(self)
        try #require(list.buttons.first { $0.label == "Details of \(title)" }, "\(title) has a page").press()
        return Array(Rendering(self).texts.dropFirst(list.texts.count))
    }
}

extension Rendering {
    /// The buttons, without those that open an item's page.
    var actions: [PressableButton] { buttons.filter { !$0.title.isEmpty } }
}
