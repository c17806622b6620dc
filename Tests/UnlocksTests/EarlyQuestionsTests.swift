import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// What an app asks and does before the folder is open, and in the middle of drawing a view.
@MainActor
struct EarlyQuestionsTests {
    private static let catalog = ShopCatalog.known(
        items: #"""
            {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
            {"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}
            """#,
        rewards: #"{"id":"welcome","grants":["hint"],"amount":5,"after":"board"}"#
    )

    private static func owner(_ test: @escaping @MainActor (Shop) throws -> Void) throws {
        try Shop.run(catalog) { shop in
            try shop.launch()
            for (id, product) in [("1", "gold"), ("2", "hints")] as [(String, ProductID)] {
                shop.tell(.verified(StoreTransaction(id: id, productID: product)))
            }
            try test(shop)
        }
    }

    @Test("what is asked for at once waits until the folder is open, instead of failing", arguments: [false, true])
    func atOnce(isBeforeStart: Bool) throws {
        try Self.owner { shop in
            let unlocks = shop.makeUnlocks()
            var (spent, claimed, failures): (Bool?, [RewardID]?, [any Error]) = (nil, nil, [])
            @MainActor func attempt(_ body: @escaping @MainActor () async throws -> Void) {
                Task { do { try await body() } catch { failures.append(error) } }
            }
            let arrival = Arrival(try Referral(referrer: "anna"), road: .opened)
            if isBeforeStart { Task { _ = try? await unlocks.claim(arrival) } }
            JobQueue.drain()
            unlocks.start()
            attempt { spent = try await unlocks.spend(3, of: "hint") }
            attempt { claimed = try await unlocks.claim(arrival) }
            attempt { try await unlocks.recordEvent("board") }
            attempt { try await unlocks.count([InvitationEntry(id: "1", program: "p")]) }
            attempt { try await unlocks.deliverAgain("gold-pack") }
            attempt { try await unlocks.reset() }
            JobQueue.drain()
            #expect(failures.isEmpty, "\(failures)")
            #expect(spent == true)
            #expect(claimed == (isBeforeStart ? [] : ["welcome"]), "it waits already")
            #expect(unlocks.balance(of: "hint") == 12)
        }
    }

    @Test("what an owner has left isn't known until the folder is open, and isn't 0, so that nothing asks them to pay")
    func unknownBalance() throws {
        try Self.owner { shop in
            #expect(shop.unlocks?.balance(of: "gold") == .unlimited)
            let unlocks = shop.makeUnlocks()
            var told: [UnlockBalance] = []
            let changes = unlocks.states
            Task { for await change in changes where change.unlock == "hint" { told.append(change.balance) } }
            for _ in 0..<2 {
                for unlock in ["gold", "hint"] as [UnlockID] {
                    #expect(unlocks.balance(of: unlock) == .unknown)
                    #expect(unlocks.balance(of: unlock) != 0)
                }
                unlocks.start()
            }
            JobQueue.drain()
            #expect(unlocks.balance(of: "gold") == .unlimited)
            #expect(unlocks.balance(of: "hint") == 10)
            #expect(told.first == .unknown && told.last == 10)
        }
    }

    @Test("without a start, and while the folder can't be opened, it fails and says why")
    func closed() throws {
        try Self.owner { shop in
            let unlocks = shop.makeUnlocks()
            #expect(throws: UnlocksError.notStarted) { try unlocks.spend(of: "hint") }
            #expect(throws: UnlocksError.notStarted) { try unlocks.reset() }
            shop.storage.isLocked = true
            unlocks.start()
            #expect(throws: UnlocksError.storage("Operation not permitted")) { try unlocks.spend(of: "hint") }
            #expect(throws: UnlocksError.storage("Operation not permitted")) { try unlocks.reset() }
        }
    }
}
