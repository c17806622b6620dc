import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// The reference's cases of what a person has, each played to the whole: store, journal and queue.
@MainActor
struct LedgerVectorTests {
    @Test("what a person has is what the reference says", arguments: UnlocksVectors.all.ledger)
    func ledger(_ vector: UnlocksVectors.LedgerCase) throws {
        try Shop.run(try vector.catalog()) { shop in
            shop.store.isPack = { product in vector.packs.contains(product) }
            prepare(shop, for: vector)
            try shop.launch()
            // From now on nothing arrives unless the case says so.
            shop.store.products = []
            var spends: [Bool] = []
            for event in vector.events {
                if let answer = try apply(event, in: shop, items: vector.itemsText) { spends.append(answer) }
                JobQueue.drain()
            }
            let unlocks = try #require(shop.unlocks)
            #expect(spends == vector.spends)
            for (name, expected) in vector.result {
                let unlock = UnlockID(name)
                let state = unlocks.state(of: unlock)
                let evidence = if case .unlocked(let evidence) = state { evidence.map(Self.text) } else { [String]() }
                #expect("\(state)".prefix(while: \.isLetter) == expected.state, "\(name)")
                // A used-up pack is evidence of something that is locked.
                if expected.state == "unlocked" { #expect(Set(evidence) == Set(expected.evidence), "\(name)") }
                #expect(unlocks.balance(of: unlock) == balance(expected), "\(name)")
                if let isRunningOut = expected.isRunningOut { #expect(unlocks.isRunningOut(unlock) == isRunningOut) }
                if let why = expected.why { #expect(Self.reason(state) == why, "\(name)") }
            }
        }
    }

    /// A store that lists and answers what the case says, at the case's first moment.
    private func prepare(_ shop: Shop, for vector: UnlocksVectors.LedgerCase) {
        shop.now = vector.at.map { Timestamp($0) } ?? Timestamp(milliseconds: 1_796_126_400_000)
        shop.store.listed = []
        shop.store.environment = vector.environment.flatMap(StoreEnvironment.init) ?? .production
        if vector.answered == false { shop.store.products = [] }
        // So that the app transaction is asked for.
        shop.paidBefore = PaidBefore(grants: [], firstFreeVersions: [:])
    }

    @Test("a referral earns what the reference says", arguments: UnlocksVectors.all.rewards)
    func rewards(_ vector: UnlocksVectors.RewardsCase) throws {
        try Shop.run(try vector.catalog()) { shop in
            try shop.launch()
            for event in vector.events {
                try apply(event, in: shop)
                JobQueue.drain()
            }
            let granted = shop.deliveries.compactMap(\.reward)
            #expect(granted == vector.granted)
        }
    }

    /// The reference has no balance of its own for what is unknown.
    private func balance(_ expected: UnlocksVectors.LedgerCase.State) -> UnlockBalance {
        if expected.state == "unknown" { return .unknown }
        return expected.balance.map { .left($0) } ?? .unlimited
    }

    @discardableResult
    private func apply(_ event: UnlocksVectors.Event, in shop: Shop, items vectorItems: String = "") throws -> Bool? {
        let unlocks = try #require(shop.unlocks)
        switch event.do {
        case "purchase", "revocation":
            let statement = try #require(event.statement)
            shop.store.record(statement)
            if event.feed == "updates" || event.feed == "purchase" {
                shop.store.announce(statement)
            } else {
                Task { await unlocks.refresh() }
            }
        case "restore":
            for restored in event.transactions ?? [] { try shop.store.record(#require(restored.statement)) }
            _ = Task { try await unlocks.restore() }
        case "take":
            // A center skips other formats.
            let entries = (event.entries ?? []).filter { $0.format == 1 }.map {
                InvitationEntry(id: $0.id, program: $0.program)
            }
            _ = Task { try await unlocks.count(entries) }
        case "catalog":
            try shop.use(.of(items: event.itemsText ?? "", rewards: event.rewardsText ?? ""))
        case "edition":
            shop.context.edition = event.edition
            unlocks.context = shop.context
        case "paidBefore":
            // An app with that rule, launched again.
            shop.paidBefore = PaidBefore(grants: event.grants ?? [], firstFreeVersions: [.iOS: "2"])
            shop.store.app = .onIPhone("1", isVerified: event.answer != "unknown", isRevoked: event.answer == "no")
            try shop.launch()
            // A yes that is kept is looked at again when the person asks for it.
            let launched = shop.unlocks
            if event.answer == "no" { _ = Task { try await launched?.restore() } }
        case "reward":
            let (reward, grants) = (try #require(event.reward), try #require(event.grants))
            let list = grants.map { #""\#($0)""# }.joined(separator: ",")
            let new = try ShopCatalog.of(
                items: vectorItems,
                rewards: #"{"id":"\#(reward)","grants":[\#(list)]\#(event.amount.map { #","amount":\#($0)"# } ?? "")}"#
            )
            let old = shop.catalog
            _ = Task {
                await unlocks.use(new)
                try await unlocks.claim(Arrival(Referral(referrer: "anna"), road: .opened))
                await unlocks.use(old)
            }
        case "claimFree":
            let item = try #require(event.item)
            Task { _ = try? await unlocks.buy(item) }
        case "spend": return try unlocks.spend(#require(event.count), of: #require(event.unlock))
        case "reset": try unlocks.reset()
        case "relaunch": try shop.launch()
        case "claim":
            let referral = try #require(event.referral)
            let claimed = try Referral(referrer: referral.referrer, parameters: referral.parameters)
            try unlocks.claim(Arrival(claimed, road: .opened, isSigned: referral.signed, destination: nil))
        case "reached": try unlocks.recordEvent(#require(event.event))
        case "me": unlocks.ownReferrer = event.referrer
        case "clock":
            shop.now = Timestamp(try #require(event.at))
            _ = unlocks.allStates
        case "entitlements": shop.store.listed = event.transactions?.compactMap(\.statement)
        case "asked":
            shop.store.products = event.products == true ? nil : []
            shop.store.app = event.app.map {
                .onIPhone("1", environment: shop.store.environment ?? .production, signed: $0)
            }
            Task { await unlocks.refresh() }
            JobQueue.drain()
            (shop.store.products, shop.store.app) = ([], nil)
        case "environment":
            // Another build of the app is installed over this one.
            shop.store.environment = try StoreEnvironment(rawValue: #require(event.environment))
            try shop.launch()
        default: Issue.record("an unknown event: \(event)")
        }
        return nil
    }

    private static func text(_ evidence: Evidence) -> String {
        switch evidence {
        case .included: "included"
        case .paidBefore: "paidBefore"
        case .purchase(let id): "purchase:\(id)"
        case .reward(let id, _): "reward:\(id)"
        case .free(let item): "free:\(item)"
        case .allowance: "allowance"
        case .invited(let program, _): "invited:\(program)"
        }
    }

    private static func reason(_ state: UnlockState) -> String? {
        switch state {
        case .unknown(.storeNotAsked): "storeNotAsked"
        case .unknown(.paidBefore): "paidBefore"
        default: nil
        }
    }
}
