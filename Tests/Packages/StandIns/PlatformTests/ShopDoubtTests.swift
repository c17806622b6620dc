import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// What the shop doesn't sell, because the person has paid for it or may have it.
    @MainActor
    struct ShopDoubtTests {
        private static let items = """
            {"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"],
             "text":{"en":{"title":"Gold boards","detail":"Forty more."}}}
            """

        /// Why it isn't known whether the person has the gold boards, and how the shop says it in English and German.
        private nonisolated static let doubts: [(ShopOffer.Doubt, english: String, german: String)] = [
            (
                .storeNotAsked, "The store has not yet confirmed whether you already have this.",
                "Der Store hat noch nicht bestätigt, ob du das schon hast."
            ),
            (
                .notOpened, "Your purchases on this device can't be read yet.",
                "Deine Käufe auf diesem Gerät können noch nicht gelesen werden."
            ),
            (
                .paidBefore, "It is not known yet whether you bought the app before it became free.",
                "Es ist noch nicht bekannt, ob du die App gekauft hast, bevor sie kostenlos wurde."
            ),
        ]

        init() async { await Device.launchInFront() }

        /// A shop that doesn't know whether the person has the gold boards.
        private static func stage(_ doubt: ShopOffer.Doubt) async throws -> ShopStage? {
            var paidBefore: PaidBefore?
            if doubt == .paidBefore { paidBefore = PaidBefore(grants: ["gold"], firstFreeVersions: [.iOS: "230"]) }
            let stage = try ShopStage(
                items: items,
                paidBefore: paidBefore,
                isBroken: doubt == .notOpened
            )
            stage.store.isReachable = doubt != .storeNotAsked
            stage.unlocks.start()
            await until("it is in doubt") {
                !Rendering(ShopView(stage.unlocks)).texts.contains("Loading…")
            }
            #expect(stage.unlocks.offers.map(\.state) == [.checking(doubt)])
            return stage
        }

        /// A shop whose store doesn't answer for as long as it is held.
        private static func heldStage() throws -> (ShopStage, HeldStore) {
            var held: HeldStore?
            let stage = try ShopStage(items: items) { store in
                let new = HeldStore(store)
                held = new
                return new
            }
            return (stage, try #require(held))
        }

        @Test("what the person may have is not for sale; the shop says why, and offers what helps", arguments: doubts)
        func doubt(_ doubt: ShopOffer.Doubt, english: String, german: String) async throws {
            guard let stage = try await Self.stage(doubt) else { return }
            let rendering = Rendering(ShopView(stage.unlocks))
            let isOffline = doubt == .storeNotAsked
            #expect(
                rendering.texts
                    == (isOffline ? ["The store can't be reached.", "Try Again"] : [])
                    + ["Shop", "Gold boards", "Forty more.", english, "Checking…"]
                    + (isOffline ? [] : ["Try Again"]) + ["Restore Purchases", "Redeem Code"]
            )
            #expect(rendering.elements == ["Gold boards, Forty more., \(english)"])
            #expect(rendering.actions.map(\.title) == ["Try Again", "Restore Purchases", "Redeem Code"])
            let catalog = try StringCatalog("Unlocks/Shop")
            #expect(catalog.text(english, in: "de") == german)
            #expect(catalog.text(english, in: "en") == english)
            #expect(catalog.text("Checking…", in: "de") == "Wird geprüft …")
            await #expect(throws: UnlocksError.notForSale(.checking(doubt))) { try await stage.unlocks.buy("gold") }
            #expect(stage.store.askedPurchases.isEmpty)
        }

        @Test("an item's page and the view for what is locked say the same, and offer the same", arguments: doubts)
        func doubtElsewhere(_ doubt: ShopOffer.Doubt, english: String, german: String) async throws {
            guard let stage = try await Self.stage(doubt) else { return }
            let isOffline = doubt == .storeNotAsked
            let texts =
                (isOffline ? ["The store can't be reached.", "Try Again"] : [])
                + ["Gold boards", "Forty more.", english, "Checking…"]
                + (isOffline ? [] : ["Try Again"]) + ["Restore Purchases", "Redeem Code"]
            let upgrade = UpgradeView(stage.unlocks, item: "gold")
            #expect(Rendering(upgrade).texts == texts)
            let shop = ShopView(stage.unlocks)
            let list = Rendering(shop)
            try #require(list.buttons.first { $0.title.isEmpty }).press()
            #expect(Array(Rendering(shop).texts.dropFirst(list.texts.count)) == texts + ["Close"])
            guard isOffline else { return }
            stage.store.isReachable = true
            try #require(Rendering(upgrade).buttons.first { $0.title == "Try Again" }).press()
            await until("it is for sale") { Rendering(upgrade).texts.contains("2,99 €") }
        }

        @Test("to try again opens the folder and asks the store, without a wait", arguments: doubts.map(\.0))
        func tryAgain(_ doubt: ShopOffer.Doubt) async throws {
            guard let stage = try await Self.stage(doubt) else { return }
            switch doubt {
            case .storeNotAsked: stage.store.isReachable = true
            case .paidBefore:
                stage.store.boughtApp = AppPurchase(
                    id: "7",
                    isVerified: true,
                    isRevoked: false,
                    originalPlatform: .iOS,
                    originalVersion: "231",
                    originalPurchase: Fixture.now.date
                )
            default: try stage.repair()
            }
            let view = ShopView(stage.unlocks)
            let old = Rendering(view)
            try #require(old.buttons.first { $0.title == "Try Again" }).press()
            await until("it is for sale") { Rendering(view).buttons.first?.title == "2,99 €" }
            #expect(old.isOutdated)
            #expect(
                Rendering(view).texts == [
                    "Shop", "Gold boards", "Forty more.", "2,99 €", "Restore Purchases", "Redeem Code",
                ]
            )
        }

        @Test("to restore opens the folder too, and for as long as that fails, nobody is told that nothing was found")
        func restoreUnopened() async throws {
            let stage = try #require(try await Self.stage(.notOpened))
            stage.store.buyElsewhere("gold")
            let view = ShopView(stage.unlocks)
            func restore() async throws -> [String]? {
                try #require(Rendering(view).buttons.first { $0.title == "Restore Purchases" }).press()
                await until("it is over") { !Rendering(view).buttons.contains(where: \.isDisabled) }
                return Rendering(view).alert
            }
            let alert = try #require(try await restore())
            #expect(
                alert == [
                    "Your purchases on this device can't be read yet.",
                    "Check that the app is up to date and that the device has free storage, and try again.",
                ]
            )
            let catalog = try StringCatalog("Unlocks/Shop")
            #expect(
                alert.map { catalog.text($0, in: "de") } == [
                    "Deine Käufe auf diesem Gerät können noch nicht gelesen werden.",
                    "Prüfe, ob die App aktuell ist und ob auf dem Gerät Speicher frei ist, und versuche es noch einmal.",
                ]
            )
            await #expect(throws: UnlocksError.self) { try await stage.unlocks.restore() }
            try stage.repair()
            // The purchase may come as an update before the store is asked.
            let results = [["All your purchases are here already."], ["Your purchases are back.", "Gold boards"]]
            #expect(results.contains(try await restore() ?? []))
            await until("it is delivered") { Rendering(view).texts.contains("Yours") }
        }

        @Test("at a launch the shop loads, until the store has answered; after the time limit it says that it can't")
        func loading() async throws {
            let (stage, held) = try Self.heldStage()
            held.isHeld = true
            let view = ShopView(stage.unlocks)
            let loading = ["Shop", "Gold boards", "Forty more.", "Loading…", "Restore Purchases", "Redeem Code"]
            #expect(Rendering(view).texts == loading)
            stage.unlocks.start()
            await until("the store is asked") { held.waitingCount == 3 && stage.clock.sleeping == 1 }
            #expect(Rendering(view).texts == loading)
            let old = Rendering(view)
            stage.clock.endSleeps()
            await until("it is over") { Rendering(view).texts.contains("The store can't be reached.") }
            #expect(old.isOutdated)
            #expect(Rendering(view).actions.map(\.title) == ["Try Again", "Restore Purchases", "Redeem Code"])
            #expect(Rendering(view).texts.contains("Checking…"))
            Rendering(view).appear()
            await until("a shop that appears asks again") {
                Rendering(view).texts == loading && held.waitingCount == 6 && stage.clock.sleeping == 1
            }
            stage.clock.endSleeps()
            await until("that is over too") { Rendering(view).texts.contains("The store can't be reached.") }
            held.isHeld = false
            await until("the late answer counts") { Rendering(view).buttons.first?.title == "2,99 €" }
        }

        @Test("while it is being bought anywhere, progress takes the place of the price")
        func purchasing() async throws {
            let (stage, held) = try Self.heldStage()
            await stage.start()
            let (view, other) = (ShopView(stage.unlocks), ShopView(stage.unlocks))
            let old = Rendering(other)
            held.isHeld = true
            try #require(Rendering(view).buttons.first).press()
            let texts = ["Shop", "Gold boards", "Forty more.", "Purchasing…", "Restore Purchases", "Redeem Code"]
            await until("it is being bought") { Rendering(other).texts == texts }
            #expect(old.isOutdated)
            #expect(Rendering(view).texts == texts)
            #expect(Rendering(other).actions.map(\.title) == ["Restore Purchases", "Redeem Code"])
            held.isHeld = false
            await until("it is delivered") { Rendering(view).texts.contains("Yours") }
            #expect(stage.store.askedPurchases == ["gold"])
            #expect(try StringCatalog("Unlocks/Shop").text("Purchasing…", in: "de") == "Wird gekauft …")
        }

        @Test("what is paid shows no price until it is delivered, though it is a subscription without an address")
        func paid() async throws {
            let club = #"{"id":"club","product":"club","kind":"subscription","grants":["club"]}"#
            let stage = try ShopStage(items: Self.items + "," + club)
            var deliveries: [CheckedContinuation<Void, Never>] = []
            stage.deliver = { _ in await withCheckedContinuation { deliveries.append($0) } }
            await stage.start()
            let view = ShopView(stage.unlocks)
            stage.store.products.append(.init(id: "club", price: "1,99 €", kind: .subscription(seconds: 2_592_000)))
            stage.store.buyElsewhere("gold")
            stage.store.buyElsewhere("club")
            await until("both are paid") { stage.unlocks.offers.map(\.state) == [.paid, .paid] }
            await until("it is being delivered") { deliveries.count == 1 }
            let paid = "Paid, being delivered"
            #expect(
                Rendering(view).texts == [
                    "Shop", "Gold boards", "Forty more.", paid, "club", paid, "Being delivered: Gold boards…",
                    "Restore Purchases", "Redeem Code",
                ]
            )
            #expect(Rendering(view).actions.map(\.title) == ["Restore Purchases", "Redeem Code"])
            #expect(try StringCatalog("Unlocks/Shop").text(paid, in: "de") == "Bezahlt, wird geliefert")
            await #expect(throws: UnlocksError.notForSale(.paid)) { try await stage.unlocks.buy("gold") }
            deliveries[0].resume()
            await until("the other is being delivered") { deliveries.count == 2 }
            deliveries[1].resume()
            await until("both are there") { Rendering(view).texts.count { $0 == "Yours" } == 2 }
            #expect(stage.store.askedPurchases.isEmpty)
        }

        /// Why an offer that was for sale isn't any more, and what a tap on its price says then in English and German.
        private nonisolated static let refusals: [(ShopOffer.State, english: [String], german: [String])] = [
            (
                .owned, ["You have this already.", "If something is missing, restore your purchases."],
                ["Du hast das schon.", "Wenn etwas fehlt, stelle deine Käufe wieder her."]
            ),
            (
                .hidden, ["This is not for sale now.", "Try again later."],
                ["Das wird zurzeit nicht verkauft.", "Versuche es später noch einmal."]
            ),
            (
                .updateFirst(minimum: "2.1"), ["This is not for sale now.", "Update the app first (version 2.1)"],
                ["Das wird zurzeit nicht verkauft.", "Zuerst die App aktualisieren (Version 2.1)"]
            ),
            (
                .unavailable(.notAllowed),
                [
                    "Purchases are not allowed on this device.",
                    "You can allow them in the settings, in Screen Time.",
                ],
                [
                    "Käufe sind auf diesem Gerät nicht erlaubt.",
                    "Du kannst sie in den Einstellungen unter „Bildschirmzeit“ erlauben.",
                ]
            ),
            (
                .paid, ["This is yours. It is being delivered.", "Stay online until it is here."],
                ["Das gehört dir. Es wird gerade geliefert.", "Bleib online, bis es da ist."]
            ),
            (
                .checking(.purchasing),
                ["This can't be bought yet. Try again in a moment.", "A purchase is in progress."],
                ["Das kann noch nicht gekauft werden. Versuche es gleich noch einmal.", "Ein Kauf läuft gerade."]
            ),
        ]

        @Test("a tap on what was for sale a moment ago says why it isn't now, and what to do", arguments: refusals)
        func refused(_ state: ShopOffer.State, english: [String], german: [String]) async throws {
            let rendering = try await Self.refusal(state, in: nil)
            #expect(rendering.alert == english)
            let catalog = try StringCatalog("Unlocks/Shop")
            #expect(rendering.sentences.suffix(german.count).map { catalog.text($0, in: "de") } == german)
        }

        /// A shop with a tap on what was for sale before.
        private static func refusal(_ state: ShopOffer.State, in bundle: Bundle?) async throws -> Rendering {
            let (stage, held) = try heldStage()
            await stage.start()
            let view = ShopView(stage.unlocks, bundle: bundle)
            let old = Rendering(view)
            var delivery: CheckedContinuation<Void, Never>?
            if state == .paid { stage.deliver = { _ in await withCheckedContinuation { delivery = $0 } } }
            switch state {
            case .hidden: await stage.unlocks.use(try catalog(with: #""enabled":false"#))
            case .updateFirst:
                let members = #""minVersion":"2.1","belowMinimum":"updateFirst""#
                await stage.unlocks.use(try catalog(with: members))
            case .unavailable: stage.store.canMakePayments = false
            case .checking:
                held.isHeld = true
                _ = Task { try await stage.unlocks.buy("gold") }
            default: stage.store.buyElsewhere("gold")
            }
            await until("it isn't for sale") { stage.unlocks.offers.map(\.state) == [state] }
            try #require(old.buttons.first).press()
            await until("it was refused") { Rendering(view).alert != nil }
            let rendering = Rendering(view)
            held.isHeld = false
            if state == .paid { await until("it is being delivered") { delivery != nil } }
            delivery?.resume()
            return rendering
        }

        private static func catalog(with members: String) throws -> ShopCatalog {
            let items = items.replacing(#""kind""#, with: #"\#(members),"kind""#)
            return try ShopCatalog(json: Data(#"{"format":1,"revision":2,"items":[\#(items)]}"#.utf8))
        }

        /// The keys of all sentences about what isn't for sale.
        static func sentences(in bundle: Bundle) async throws -> Set<String> {
            var keys: Set<String> = []
            for (doubt, _, _) in doubts {
                await Device.launchInFront()
                guard let stage = try await stage(doubt) else { continue }
                let view = ShopView(stage.unlocks, bundle: bundle)
                keys.formUnion(Rendering(view).keys.map(\.key))
                guard doubt == .notOpened else { continue }
                Rendering(view).buttons.first { $0.title == "Restore Purchases" }?.press()
                await until("they are told") { Rendering(view).alert != nil }
                keys.formUnion(Rendering(view).keys.map(\.key))
            }
            await Device.launchInFront()
            for (state, _, _) in refusals { keys.formUnion(try await refusal(state, in: bundle).keys.map(\.key)) }
            return keys
        }
    }
}
