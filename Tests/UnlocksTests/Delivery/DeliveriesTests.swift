import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import UnlockCatalog

@testable import Unlocks

/// Deliveries give the app what the book has, whatever happens meanwhile.
@MainActor
struct DeliveriesTests {
    private struct Offline: Error {}

    /// What is made deliveries for: a book with purchases that are recorded.
    @MainActor
    private final class Desk: Deliveries.Owner {
        let catalog: ShopCatalog
        let store: any PurchaseStore = SimulatedStore()
        let storage = MemoryStorage()
        let clock = SimulatedClock()
        let book: Book
        private(set) var deliveries: Deliveries?
        var deliver: UnlockCenter.Deliver = { _ in }
        var onProblem: (@MainActor (UnlocksProblem) -> Void)?
        private(set) var (delivered, problems) = ([Grant.Source](), [UnlocksProblem]())

        /// The products that aren't delivered yet.
        var undelivered: Set<ProductID> {
            Set((deliveries?.undelivered).map { $0.compactMap { $0.transaction?.productID } } ?? [])
        }

        init() throws {
            catalog = try .of(
                items: ["gold", "silver"]
                    .map { #"{"id":"\#($0)","product":"\#($0)","kind":"nonConsumable","grants":["\#($0)"]}"# }
                    .joined(separator: ",")
            )
            let clock = clock.clock(of: ObjectIdentifier(clock))
            book = Book(storage, clock: clock)
            let deliveries = Deliveries(of: book, Observers(), clock: clock, ContentDownloads()) { [unowned self] in
                try await self.deliver($0)
            }
            self.deliveries = deliveries
            deliveries.owner = self
            onProblem = { [unowned self] in problems.append($0) }
            finish { [book] in _ = await book.open() }
        }

        func hear(_ statements: [StoreStatement]) {}

        func didDeliver(_ grant: Grant) { delivered.append(grant.source) }

        /// Lets something run to its end.
        func finish(_ operation: @escaping @MainActor () async -> Void) {
            Task { await operation() }
            JobQueue.drain()
        }

        /// Records what the store says of a purchase, and delivers what is due.
        func record(_ productID: ProductID, isRevoked: Bool = false) {
            var transaction = StoreTransaction(id: productID.rawValue, productID: productID)
            transaction.isRevoked = isRevoked
            finish { [self] in
                let grants = try? await book.change { [catalog] ledger throws(UnlocksError) in
                    let changes = ledger.changes(for: [transaction], in: catalog, at: .distantPast)
                    return (changes.entries, changes.grants)
                }
                deliveries?.follow(grants ?? [])
            }
        }

        func end() { deliveries = nil }
    }

    private static func run(_ test: @escaping @MainActor (Desk) throws -> Void) throws {
        var result: Result<Void, any Error>?
        JobQueue.run {
            result = Result {
                let desk = try Desk()
                try test(desk)
                desk.end()
            }
        }
        try #require(result).get()
    }

    @Test("one thing at a time is delivered, and its products are known until it is on the disk")
    func order() throws {
        try Self.run { desk in
            var held: CheckedContinuation<Void, Never>?
            desk.deliver = { _ in await withCheckedContinuation { held = $0 } }
            desk.record("gold")
            desk.record("silver")
            #expect(desk.deliveries?.current?.unlocks == ["gold"] && desk.undelivered == ["gold", "silver"])
            desk.deliver = { _ in }
            held?.resume()
            JobQueue.drain()
            #expect(desk.delivered == [.purchase("gold"), .purchase("silver")] && desk.deliveries?.current == nil)
            #expect(desk.undelivered == [] && desk.storage.complete.count == 2)
        }
    }

    @Test("one that fails is reported, and tried again after a pause")
    func failure() throws {
        try Self.run { desk in
            desk.deliver = { _ in throw Offline() }
            desk.record("gold")
            #expect(desk.problems.count == 1 && desk.delivered.isEmpty)
            desk.deliver = { _ in }
            desk.clock.wait(0.9)
            #expect(desk.delivered.isEmpty)
            desk.clock.wait(0.1)
            #expect(desk.delivered == [.purchase("gold")])
        }
    }

    @Test("what is refunded while it is delivered is removed, and isn't delivered")
    func refund() throws {
        try Self.run { desk in
            var held: CheckedContinuation<Void, Never>?
            desk.deliver = { _ in await withCheckedContinuation { held = $0 } }
            desk.record("gold")
            desk.record("gold", isRevoked: true)
            held?.resume()
            JobQueue.drain()
            #expect(desk.delivered.isEmpty && desk.undelivered == [] && desk.storage.folders.isEmpty)
        }
    }

    @Test("content that is lost is delivered again, once somebody has asked the store")
    func lostContent() throws {
        try Self.run { desk in
            desk.record("gold")
            desk.storage.folders = [:]
            desk.record("silver")
            #expect(desk.delivered.count == 2)
            desk.finish { desk.deliveries?.send(.storeAsked) }
            #expect(desk.delivered.last == .purchase("gold") && desk.delivered.count == 3)
        }
    }

    @Test("a reset delivers everything again")
    func reset() throws {
        try Self.run { desk in
            desk.record("gold")
            desk.finish { try? await desk.deliveries?.reset { _ in true } }
            #expect(desk.delivered == [.purchase("gold"), .purchase("gold")] && desk.storage.complete.count == 1)
        }
    }

    @Test("the owner lives until its delivery has ended")
    func lifetime() throws {
        var result: (during: Bool, after: Bool)?
        JobQueue.run {
            var held: CheckedContinuation<Void, Never>?
            var desk = try? Desk()
            desk?.deliver = { _ in await withCheckedContinuation { held = $0 } }
            desk?.record("gold")
            weak let last = desk
            desk = nil
            JobQueue.drain()
            let during = last != nil
            held?.resume()
            JobQueue.drain()
            result = (during, last != nil)
        }
        #expect(try #require(result) == (true, false))
    }
}
