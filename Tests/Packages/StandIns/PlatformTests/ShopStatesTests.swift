import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

extension PlatformTests {
    /// What the shop, an item's page and the view for what is locked say in each state of an offer, in both languages.
    @MainActor
    struct ShopStatesTests {
        typealias Act = @MainActor @Sendable (ShopStage) async throws -> Void

        struct State: Sendable, CustomTestStringConvertible {
            let testDescription: String
            /// The kind of the item, and its other members.
            let members: String
            var product = ScriptedStore.Product(id: "it", price: "1,99 €")
            var act: Act = { _ in }
            let state: ShopOffer.State
            let english: [String]
            let german: [String]
            /// The buttons on the page for what they have, in both languages.
            var buttons: [(english: String, german: String)] = []
            /// Whether the store answers at the launch.
            var isReachable = true
            var paidBefore: PaidBefore?

            var isSubscription: Bool { members.contains("subscription") }
        }

        private nonisolated static let lasting = #""kind":"nonConsumable""#
        private nonisolated static let content = """
            ,"files":[{"path":"a","url":"https://example.com/a","length":\(HeldSite.length),"sha256":"\(HeldSite.sha256)"}]
            """
        private nonisolated static let subscription = #""kind":"subscription""#
        private nonisolated static let trial = #""kind":"trial","days":14"#
        private nonisolated static let pass = #""kind":"nonRenewing","days":30"#
        private nonisolated static let pack = #""kind":"consumable","amount":10"#
        private nonisolated static let price = ShopOffer.State.forSale(price: "1,99 €")
        private nonisolated static let download = ("Download Again", "Erneut laden")
        private nonisolated static let refund = ("Request a Refund", "Erstattung beantragen")
        private nonisolated static let renewal = (
            "Renews by itself until you cancel it.", "Verlängert sich von selbst, bis du kündigst."
        )
        private nonisolated static let ending = (
            "It ends by itself, and nothing is charged.", "Es endet von selbst und kostet nichts."
        )
        private nonisolated static let locking = (
            "What it opens is locked again then.", "Was es öffnet, ist dann wieder gesperrt."
        )

        private nonisolated static func club(
            _ period: SubscriptionPeriod? = SubscriptionPeriod(.month),
            _ introduction: StoreProduct.Introduction? = nil
        ) -> ScriptedStore.Product {
            let kind: ScriptedStore.Product.Kind = period == nil ? .nonConsumable : .subscription(seconds: 2_592_000)
            return .init(
                id: "it",
                price: "1,99 €",
                kind: kind,
                period: period,
                title: "Club",
                introduction: introduction
            )
        }

        private nonisolated static let buy: Act = { stage in
            _ = try await stage.unlocks.buy("it")
            await until("it is delivered") { stage.unlocks.state(of: "it").isUnlocked }
        }

        private nonisolated static let states: [State] = [
            State(testDescription: "for sale", members: lasting, state: price, english: ["1,99 €"], german: ["1,99 €"]),
            State(
                testDescription: "free",
                members: lasting + #","free":true"#,
                state: .free,
                english: ["Get"],
                german: ["Laden"]
            ),
            State(
                testDescription: "included",
                members: lasting + #","includedIn":["full"]"#,
                act: { $0.unlocks.context.edition = "full" },
                state: .included,
                english: ["Included"],
                german: ["Enthalten"]
            ),
            State(
                testDescription: "for a later version",
                members: lasting + #","minVersion":"2.1","belowMinimum":"updateFirst""#,
                state: .updateFirst(minimum: "2.1"),
                english: ["Update the app first (version 2.1)"],
                german: ["Zuerst die App aktualisieren (Version 2.1)"]
            ),
            State(
                testDescription: "unknown to the store",
                members: lasting,
                product: .init(id: "other", price: "0,99 €"),
                state: .unavailable(.unknownProduct),
                english: ["Not available"],
                german: ["Nicht verfügbar"]
            ),
            State(
                testDescription: "not allowed",
                members: lasting,
                act: { $0.store.canMakePayments = false },
                state: .unavailable(.notAllowed),
                english: ["Purchases are not allowed on this device.", "Not available"],
                german: ["Käufe sind auf diesem Gerät nicht erlaubt.", "Nicht verfügbar"]
            ),
            State(
                testDescription: "offline at the first launch",
                members: lasting,
                state: .checking(.storeNotAsked),
                english: ["It is not known yet whether you already have this.", "Checking…"],
                german: ["Es ist noch nicht bekannt, ob du das schon hast.", "Wird geprüft …"],
                isReachable: false
            ),
            State(
                testDescription: "perhaps paid before",
                members: lasting,
                state: .checking(.paidBefore),
                english: ["It is not known yet whether you already have this.", "Checking…"],
                german: ["Es ist noch nicht bekannt, ob du das schon hast.", "Wird geprüft …"],
                paidBefore: PaidBefore(grants: ["it"], firstFreeVersions: [.iOS: "230"])
            ),
            State(
                testDescription: "waiting for somebody",
                members: lasting,
                act: { stage in
                    stage.store.nextPurchases = [.pending]
                    _ = try await stage.unlocks.buy("it")
                },
                state: .waiting,
                english: ["Waiting for approval", "Ask Again"],
                german: ["Wartet auf Zustimmung", "Erneut fragen"]
            ),
            State(
                testDescription: "owned, with content",
                members: lasting + content,
                act: buy,
                state: .owned,
                english: ["Yours"],
                german: ["Gehört dir"],
                buttons: [download, refund]
            ),
            State(
                testDescription: "paid, while a delivery fails",
                members: lasting,
                act: { stage in
                    var isOver = false
                    stage.deliver = { _ in
                        isOver = true
                        throw CancellationError()
                    }
                    stage.store.buyElsewhere("it")
                    await until("the delivery has failed") { isOver && stage.unlocks.delivery == nil }
                },
                state: .paid,
                english: ["Paid, being delivered"],
                german: ["Bezahlt, wird geliefert"],
                buttons: [refund]
            ),
            State(
                testDescription: "paid, while the server refuses the content",
                members: lasting + content,
                act: { stage in
                    stage.site.refusal = .limit
                    stage.store.buyElsewhere("it")
                    await until("it is refused") { stage.unlocks.refusal(of: "it") == .limit }
                },
                state: .paid,
                english: ["The server does not give out what belongs to this purchase.", "Paid, being delivered"],
                german: ["Der Server gibt nicht heraus, was zu diesem Kauf gehört.", "Bezahlt, wird geliefert"],
                buttons: [refund]
            ),
            State(
                testDescription: "a subscription",
                members: subscription,
                product: club(),
                state: price,
                english: [renewal.0, "1,99 € per month"],
                german: [renewal.1, "1,99 € pro Monat"]
            ),
            State(
                testDescription: "a subscription with a free introduction",
                members: subscription,
                product: club(SubscriptionPeriod(.year), .init(period: SubscriptionPeriod(.week), count: 2)),
                state: price,
                english: ["Free for 2 weeks.", "Then 1,99 € per year.", renewal.0, "1,99 € per year"],
                german: ["2 Wochen kostenlos.", "Danach 1,99 € pro Jahr.", renewal.1, "1,99 € pro Jahr"]
            ),
            State(
                testDescription: "a subscription with cheaper payments",
                members: subscription,
                product: club(
                    SubscriptionPeriod(.month, count: 3),
                    .init(price: "0,99 €", period: SubscriptionPeriod(.month), count: 3)
                ),
                state: price,
                english: [
                    "0,99 € per month for the first 3 months.", "Then 1,99 € every 3 months.", renewal.0,
                    "1,99 € every 3 months",
                ],
                german: [
                    "0,99 € pro Monat für die ersten 3 Monate.", "Danach 1,99 € alle 3 Monate.", renewal.1,
                    "1,99 € alle 3 Monate",
                ]
            ),
            State(
                testDescription: "a subscription with one cheaper payment in advance",
                members: subscription,
                product: club(.init(.month), .init(price: "0,99 €", period: SubscriptionPeriod(.day, count: 3))),
                state: price,
                english: ["0,99 € for the first 3 days.", "Then 1,99 € per month.", renewal.0, "1,99 € per month"],
                german: ["0,99 € für die ersten 3 Tage.", "Danach 1,99 € pro Monat.", renewal.1, "1,99 € pro Monat"]
            ),
            State(
                testDescription: "a subscription without a length",
                members: subscription,
                product: club(nil),
                state: price,
                english: ["Not available"],
                german: ["Nicht verfügbar"]
            ),
            State(
                testDescription: "a subscription that they have",
                members: subscription,
                product: club(),
                act: buy,
                state: .owned,
                english: ["Yours"],
                german: ["Gehört dir"],
                buttons: [("Manage Subscription", "Abo verwalten"), refund]
            ),
            State(
                testDescription: "a trial",
                members: trial,
                product: .init(id: "it", price: "0,00 €"),
                state: .forSale(price: "0,00 €"),
                english: ["Free for 14 days.", ending.0, locking.0, "0,00 €"],
                german: ["14 Tage kostenlos.", ending.1, locking.1, "0,00 €"]
            ),
            State(
                testDescription: "a trial that runs",
                members: trial,
                act: buy,
                state: .owned,
                english: ["14 days left", locking.0, "Active"],
                german: ["Noch 14 Tage", locking.1, "Aktiv"],
                buttons: [refund]
            ),
            State(
                testDescription: "a pass",
                members: pass,
                product: .init(id: "it", price: "1,99 €", kind: .nonRenewing),
                state: price,
                english: ["Lasts 30 days.", "It does not renew by itself.", "1,99 €"],
                german: ["Gilt 30 Tage.", "Es verlängert sich nicht von selbst.", "1,99 €"]
            ),
            State(
                testDescription: "a pass with content that is over",
                members: pass + content,
                product: .init(id: "it", price: "1,99 €", kind: .nonRenewing),
                act: { stage in
                    try await buy(stage)
                    stage.clock.now = Timestamp(milliseconds: stage.clock.now.milliseconds + 31 * 86_400_000)
                    await stage.unlocks.refresh()
                },
                state: price,
                english: ["Lasts 30 days.", "It does not renew by itself.", "1,99 €"],
                german: ["Gilt 30 Tage.", "Es verlängert sich nicht von selbst.", "1,99 €"],
                buttons: [refund]
            ),
            State(
                testDescription: "a pack with content that is used up",
                members: pack + content,
                product: .init(id: "it", price: "1,99 €", kind: .consumable),
                act: { stage in
                    try await buy(stage)
                    _ = try await stage.unlocks.spend(10, of: "it")
                },
                state: price,
                english: ["1,99 €"],
                german: ["1,99 €"],
                buttons: [refund]
            ),
        ]

        private nonisolated static let address = URL(string: "https://example.com/")
        private let catalog: StringCatalog

        init() throws { catalog = try StringCatalog("Unlocks/Shop") }

        private func stage(_ state: State) async throws -> ShopStage {
            let product = state.members.contains("allowance") ? "" : #""product":"it","#
            let stage = try ShopStage(
                items: """
                    {"id":"it",\(product)"grants":["it"],"text":{"en":{"title":"Club","detail":"All boards."},
                     "de":{"title":"Club","detail":"Alle Bretter."}},\(state.members)},
                    {"id":"other","product":"other","kind":"nonConsumable","grants":["other"],"enabled":false}
                    """,
                paidBefore: state.paidBefore
            )
            stage.store.products = [state.product]
            stage.store.isReachable = state.isReachable
            await stage.start()
            try await state.act(stage)
            await until("\(state.state)") { stage.unlocks.offers.first?.state == state.state }
            return stage
        }

        @Test("each view says what an offer's state means, in English and German", arguments: states)
        func states(_ state: State) async throws {
            let stage = try await stage(state)
            for language in ["en", "de"] {
                func text(_ english: String, _ german: String) -> String { language == "en" ? english : german }
                stage.unlocks.context.languages = [language]
                await until("the store has answered") { !stage.unlocks.isLoading }
                let says = language == "en" ? state.english : state.german
                let offer = says.isEmpty ? [] : ["Club", text("All boards.", "Alle Bretter.")] + says
                let again = [text("Try Again", "Erneut versuchen")]
                let unreached = [text("The store can't be reached.", "Der Store ist nicht erreichbar.")] + again
                let top = state.isReachable ? [] : unreached
                let isDoubtful = if case .checking = state.state { state.isReachable } else { false }
                let buttons =
                    (isDoubtful ? again : []) + top + [
                        text("Restore Purchases", "Käufe wiederherstellen"), text("Redeem Code", "Code einlösen"),
                    ]
                let renewal = text(
                    "A subscription renews by itself until you cancel it in the settings of your Apple Account.",
                    "Ein Abonnement verlängert sich von selbst, bis du es in den Einstellungen deines "
                        + "Apple Accounts kündigst."
                )
                let links = [
                    text("Terms of Use", "Nutzungsbedingungen"), text("Privacy Policy", "Datenschutzerklärung"),
                ]
                let legal = (state.isSubscription ? [renewal] : []) + links
                func expect(_ view: some View, _ texts: [String], after list: Rendering? = nil) {
                    let sentences = Rendering(view).sentences.dropFirst(list?.sentences.count ?? 0)
                    #expect(sentences.map { catalog.text($0, in: language) } == texts, "\(type(of: view))")
                }

                let empty = [text("There is nothing to buy now.", "Zurzeit gibt es nichts zu kaufen.")]
                let shop = ShopView(stage.unlocks, terms: Self.address, privacy: Self.address)
                let all = stage.unlocks.hasContent() ? [text("Something is missing?", "Fehlt etwas?")] : []
                expect(shop, (offer.isEmpty ? empty : ["Shop"] + offer) + all + buttons + legal)

                let upgrade = UpgradeView(stage.unlocks, item: "it", terms: Self.address, privacy: Self.address)
                let nothing = [text("This is not for sale now.", "Das wird zurzeit nicht verkauft.")]
                let isMissing = stage.unlocks.state(of: "it").isLocked && state.state != .paid
                let reason =
                    state.members == Self.trial
                    ? text(
                        "This is locked. You can try it for free.",
                        "Das ist gesperrt. Du kannst es kostenlos testen."
                    ) : text("To continue, you need: Club", "Dafür brauchst du: Club")
                let missing = isMissing ? [reason] : []
                let theirs = state.buttons.map { text($0.english, $0.german) }
                expect(upgrade, (offer.isEmpty ? nothing : missing + offer + theirs) + buttons + legal)

                let list = Rendering(shop)
                guard let details = list.buttons.first(where: { $0.title.isEmpty }) else {
                    #expect(offer.isEmpty)
                    continue
                }
                details.press()
                expect(shop, offer + theirs + buttons + legal + [text("Close", "Schließen")], after: list)
            }
        }
    }
}
