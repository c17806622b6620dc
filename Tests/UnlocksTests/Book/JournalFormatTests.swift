import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// A journal that the version before has written.
@MainActor
struct JournalFormatTests {
    private static let items = #"""
        {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
        {"id":"silver-pack","product":"silver","kind":"nonConsumable","grants":["silver"]},
        {"id":"bronze-pack","product":"bronze","kind":"nonConsumable","grants":["bronze"]},
        {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]},
        {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]},
        {"id":"starter","kind":"nonConsumable","grants":["starter"],"free":true},
        {"id":"boards","kind":"allowance","amount":3,"grants":["board"]}
        """#
    private static let rewards = #"""
        {"id":"welcome","grants":["platinum"],"parameter":"pack","value":"platinum"},
        {"id":"first","grants":["tin"],"after":"first-board"},
        {"id":"second","grants":["copper"],"after":"second-board"},
        {"id":"signed","grants":["zinc"],"signed":true}
        """#
    private static let unlocks: [UnlockID] = [
        "gold", "silver", "bronze", "pro", "starter", "platinum", "tin", "copper", "zinc", "veteran",
    ]

    /// A journal of format 1, with all of its entries, in any order.
    private static let journal = Array(
        [
            #"{"format":1}"#,
            #"{"answered":1795219100000,"environment":"production","isFromStore":true,"subscriptions":{"4":true}}"#,
            #"{"answered":1795219000000,"environment":"sandbox","isFromStore":false,"subscriptions":{}}"#,
            #"{"paidBefore":"app","answer":true}"#,
            #"{"reached":"first-board"}"#,
            #"{"claim":"ben","parameters":{"pack":"gold"},"isSigned":false}"#,
            #"{"claim":"eve","parameters":{},"isSigned":true}"#,
            #"{"claim":"eve","parameters":{},"isSigned":true,"isForgotten":true}"#,
            purchase(
                1,
                #""item":"gold-pack","grants":{"gold":0},"stage":"delivered","original":"1","product":"gold","#
                    + #""kind":"nonConsumable","app":"com.example.trestle","environment":"production","shared":true,"purchased":1795000000000,"#
                    + #""signed":1795000001000"#
            ),
            purchase(
                2,
                #""item":"hints","grants":{"hint":20},"stage":"delivered","product":"hints","quantity":2,"environment":"production""#
            ),
            purchase(
                3,
                #""grants":{"silver":0},"stage":"delivered","product":"silver","signed":1795000002000,"revoked":true"#
            ),
            purchase(
                4,
                #""grants":{"pro":0},"stage":"delivered","product":"pro","kind":"subscription","expires":1795300000000"#
            ),
            purchase(5, #""item":"bronze-pack","grants":{"bronze":0},"stage":"recorded","product":"bronze""#),
            purchase(6, #""grants":{"silver":0},"stage":"delivered","product":"silver","environment":"sandbox""#),
            #"{"reward":"welcome","referrer":"anna","grants":{"platinum":0},"stage":"delivered"}"#,
            #"{"free":"starter","item":"starter","grants":{"starter":0},"stage":"delivered"}"#,
            #"{"spent":"hint","total":7,"environment":"production"}"#,
            #"{"spent":"hint","total":2,"environment":"sandbox"}"#,
        ].map(JournalTests.line).joined().utf8
    )

    private static func purchase(_ id: Int, _ members: String) -> String { #"{"purchase":"\#(id)",\#(members)}"# }

    /// A shop with that journal, offline, so that the journal alone knows.
    private static func shop(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(.of(items: items, rewards: rewards)) { shop in
            shop.paidBefore = PaidBefore(grants: ["veteran"], firstFreeVersions: [.iOS: "2"])
            shop.store.isReachable = false
            shop.storage.damage { $0 = journal }
            try test(shop)
        }
    }

    private static func open(_ shop: Shop) -> Set<UnlockID> {
        Set(unlocks.filter { shop.state($0)?.isUnlocked == true })
    }

    /// The numbers of the formats in the journal.
    private static func formats(_ shop: Shop) -> [String] {
        String(decoding: shop.storage.journal, as: UTF8.self).split(separator: "\n")
            .compactMap { $0.firstMatch(of: /"format":(\d+)/).map { String($0.1) } }
    }

    /// What the journal says, in whatever format it is.
    private static func check(_ shop: Shop, _ comment: Comment) throws {
        let unlocks = try #require(shop.unlocks, comment)
        #expect(open(shop) == ["gold", "bronze", "pro", "starter", "platinum", "tin", "veteran"], comment)
        #expect(shop.state("silver") == .locked, comment)
        #expect(unlocks.balance(of: "hint") == 13, comment)
        #expect(unlocks.balance(of: "board") == 3, comment)
        #expect(formats(shop) == ["2"], comment)
    }

    @Test("a journal of format 1 tells all that it has, and is written again in format 2")
    func opened() throws {
        try Self.shop { shop in
            for launch in 1...3 {
                try shop.launch()
                try Self.check(shop, "launch \(launch)")
                let others = shop.problems.filter { if case .notLoaded = $0 { false } else { true } }
                #expect(others.isEmpty)
            }
            #expect(shop.deliveries.compactMap(\.transaction?.id).contains("5"))
            try shop.unlocks?.recordEvent("second-board")
            #expect(shop.state("copper")?.isUnlocked == true)
            #expect(shop.state("zinc")?.isUnlocked == false)
            shop.store.environment = .sandbox
            try shop.launch()
            #expect(Self.open(shop).isSuperset(of: ["silver", "starter"]))
            #expect(shop.state("gold") == .locked, "the store had answered there")
            #expect(shop.unlocks?.balance(of: "hint") == 0)
            shop.store.environment = .xcode
            try shop.launch()
            #expect(shop.state("gold") == .unknown(.storeNotAsked))
        }
    }

    @Test("an app that ends at any write while the format is raised loses nothing", arguments: [0, 1, 40, Int.max])
    func ended(bytes: Int) throws {
        var hasEnded = true
        var write = 0
        while hasEnded {
            try Self.shop { shop in
                var count = 0
                hasEnded = false
                shop.storage.next = {
                    count += 1
                    guard count == write + 1 else { return .succeeds }
                    hasEnded = true
                    return .ends(after: bytes)
                }
                try? shop.launch()
                shop.storage.next = { .succeeds }
                try shop.launch()
                try Self.check(shop, "ended at write \(write) after \(bytes) bytes")
            }
            write += 1
        }
        #expect(write > 5)
    }

    @Test("on a full disk a journal of format 1 counts, and the first write raises it")
    func fullDisk() throws {
        try Self.shop { shop in
            shop.storage.next = { .fails }
            try shop.launch()
            #expect(shop.storage.journal == Self.journal)
            #expect(shop.unlocks?.balance(of: "hint") == 13)
            shop.storage.next = { .succeeds }
            #expect(try shop.unlocks?.spend(of: "board") == true)
            #expect(Self.formats(shop) == ["2"], "an older app must not misread what is added")
            shop.wait(10_000)
            try shop.launch()
            #expect(shop.unlocks?.balance(of: "board") == 2)
            #expect(shop.unlocks?.balance(of: "hint") == 13)
        }
    }
}
