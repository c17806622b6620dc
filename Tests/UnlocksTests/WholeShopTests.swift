import Foundation
import ReferralBridge
import ReferralSigning
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

/// A shop from its first day on: a catalog from a real web server, a real folder, and a store that plays a script.
@MainActor
final class WholeShopTests {
    private struct Crash: Error {}

    private let place = TemporaryFolder("shop")
    private var folder: URL { place.url }
    private let server: CatalogServer
    private let source: URLCatalogSource
    private let key: PrivateKey
    private let store: ScriptedStore
    /// Pauses take no time. Time limits don't end.
    private let clock = TestClock(skippingUpTo: 20)
    private var problems: [UnlocksProblem] = []
    /// What the next deliveries do before and after they have written their content.
    private var failsBefore = false
    private var failsAfter = false
    private var deliveries: [Evidence] = []

    init() throws {
        key = try PrivateKey.random()
        server = try CatalogServer()
        source = try #require(URLCatalogSource(server.address))
        store = ScriptedStore(
            products: [
                ScriptedStore.Product(id: "gold", price: "2,99 €"),
                ScriptedStore.Product(id: "hints", price: "0,99 €", kind: .consumable),
            ],
            app: "com.example.trestle",
            boughtApp: AppPurchase(
                id: "app",
                isVerified: true,
                isRevoked: false,
                originalPlatform: .iOS,
                originalVersion: "229",
                originalPurchase: Date(timeIntervalSince1970: 1_700_000_000)
            ),
            clock: clock.clock
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private static func json(_ revision: Int, _ items: String, rewards: String = "") -> Data {
        Data(#"{"format":1,"revision":\#(revision),"items":[\#(items)],"rewards":[\#(rewards)]}"#.utf8)
    }

    private let gold =
        #"{"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"],"text":{"en":{"title":"Gold"}}}"#
    private let hints = #"{"id":"hint-pack","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}"#
    private let welcome = #"""
        {"id":"welcome","parameter":"pack","value":"silver","grants":["silver"],"after":"first-board","signed":true}
        """#

    /// The address of a link to the app that the app's maker signed.
    private func signed(_ referral: Referral) throws -> String {
        let page = try StorePage(appID: 1_300_230_302)
        var parameters = referral.parameters
        parameters["sig"] = try key.sign(referral.claims, for: page.appID)
        return try ReferralLink(page: page, referral: Referral(referrer: referral.referrer, parameters: parameters))
            .address
    }

    /// What a bridge reports that takes only links which the app's maker signed.
    private func arrivals(_ address: String) async throws -> [Arrival] {
        let bridge = AppStoreBridge(
            scanner: try ReferralScanner(appID: 1_300_230_302, signers: [key.publicKey], verifier: makeVerifier()),
            pasteboard: InMemoryPasteboard([address]),
            ledger: InMemoryLedger()
        )
        var arrivals: [Arrival] = []
        bridge.onArrival = { arrivals.append($0) }
        await bridge.checkForReferralLinks()
        return arrivals
    }

    /// Launches the app. The one before must be gone.
    private func launch() throws -> UnlockCenter {
        let loader = try CatalogLoader(
            bundledCatalog: Self.json(1, gold),
            file: folder.appending(path: "catalog"),
            source: source,
            publicKey: key.publicKey,
            verifier: makeVerifier()
        )
        let unlocks = UnlockCenter(
            store: store,
            catalog: loader.current,
            loader: loader,
            folder: folder.appending(path: "unlocks"),
            context: ShopContext(appVersion: "3.0", platform: .iOS, languages: ["en"]),
            paidBefore: PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "230"]),
            appIdentifier: "com.example.trestle",
            clock: clock.clock
        ) { [unowned self] delivery in
            if failsBefore { throw Crash() }
            try Data("\(delivery.unlocks)".utf8).write(to: delivery.folder.appending(path: "content"))
            deliveries.append(delivery.evidence)
            if failsAfter { throw Crash() }
        }
        unlocks.onProblem = { [unowned self] in problems.append($0) }
        unlocks.start()
        return unlocks
    }

    private func publish(_ body: Data) async throws {
        try await server.answer(body, headers: ["ETag": "\"\(body.hashValue)\""])
        try await server.answer(Data(key.signature(for: body).base64EncodedString().utf8), at: source.signatureAddress)
    }

    @Test("catalog, purchase, crash, delivery, refund, restore, paid before, and a reward")
    func everything() async throws {
        // The first launch is offline: the catalog in the app, and nothing known.
        store.isReachable = false
        try await server.answer(status: 500)
        var unlocks: UnlockCenter? = try launch()
        await until { problems.count >= 3 }
        #expect(unlocks?.state(of: "pro") == .unknown(.paidBefore(.notAvailable)))
        #expect(unlocks?.offers.map(\.state) == [.checking(.storeNotAsked)])
        #expect(unlocks?.products == nil)

        // Online: a newer catalog, signed. Whoever paid before has it all.
        store.isReachable = true
        try await publish(Self.json(2, gold + "," + hints, rewards: welcome))
        await unlocks?.refresh()
        #expect(unlocks?.offers.map(\.state) == [.forSale(price: "2,99 €"), .forSale(price: "0,99 €")])
        #expect(unlocks?.state(of: "pro") == .unlocked(by: [.paidBefore]))
        #expect(unlocks?.state(of: "gold") == .locked)

        // Bought, and the app crashes after it has delivered, before that is written down.
        failsAfter = true
        #expect(try await unlocks?.buy("gold-pack") == .bought)
        await until { !deliveries.isEmpty }
        #expect(unlocks?.state(of: "gold") == .locked)
        #expect(store.finished.isEmpty)
        weak let last = unlocks
        unlocks = nil
        await until { last == nil }
        let count = deliveries.count
        failsAfter = false
        try await server.answer(status: 304)
        unlocks = try launch()
        await until { store.finished.count == 1 }
        let id = try #require(store.finished.first)
        #expect(unlocks?.state(of: "gold") == .unlocked(by: [.purchase(transaction: id)]))
        #expect(deliveries.count == count + 1)
        // The server has nothing newer, and the catalog on disk counts.
        await unlocks?.refresh()
        #expect(try await server.requests().last?["If-None-Match"] != nil)
        #expect(unlocks?.catalog.revision == 2)

        // A pack of hints, of which some are used; a restore changes nothing.
        #expect(try await unlocks?.buy("hint-pack") == .bought)
        await until { store.finished.count == 2 }
        #expect(try await unlocks?.spend(4, of: "hint") == true)
        try await unlocks?.restore()
        #expect(unlocks?.balance(of: "hint") == 6)
        #expect(store.syncs == 1)

        // A referral earns something, once the person has played.
        // Only a link that the app's maker signed counts, which the bridge finds on the pasteboard.
        let own = try Referral(referrer: "anna", parameters: ["pack": "silver"])
        try await unlocks?.claim(Arrival(own, road: .opened))
        try await unlocks?.recordEvent("first-board")
        #expect(unlocks?.state(of: "silver") == .locked)
        for referral in try await arrivals(try signed(own)) { try await unlocks?.claim(referral) }
        await until { unlocks?.state(of: "silver").isUnlocked == true }

        // A refund takes away what it paid for, with its content, and nothing else.
        store.refund(id)
        await until { unlocks?.state(of: "gold") == .locked }
        let content = folder.appending(path: "unlocks/content/purchase-\(id)")
        await until { !FileManager.default.fileExists(atPath: content.path()) }
        #expect(unlocks?.state(of: "silver").isUnlocked == true)
        #expect(unlocks?.state(of: "pro").isUnlocked == true)

        // A catalog that somebody else has signed changes nothing.
        let forged = Self.json(3, "")
        try await server.answer(forged, headers: ["ETag": "\"3\""])
        let signature = try PrivateKey.random().signature(for: forged)
        try await server.answer(Data(signature.base64EncodedString().utf8), at: source.signatureAddress)
        await unlocks?.refresh()
        #expect(unlocks?.catalog.revision == 2)
        #expect(
            problems.contains {
                if case .notLoaded(let error) = $0 { error is CatalogLoader.LoadError } else { false }
            }
        )
    }
}
