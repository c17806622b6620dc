import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import UnlockCatalog

@testable import Unlocks

/// What a book can't write yet waits in it, and is written once it can be.
@MainActor
struct BookTests {
    /// A book on a disk that can fail.
    @MainActor
    private final class Desk {
        let storage = MemoryStorage()
        let protectedData = SimulatedProtectedData()
        let clock = SimulatedClock()
        let book: Book
        var results: [Result<Int, UnlocksError>] = []
        var preparations = 0
        var calls = 0
        var catalog = BookTests.catalog

        init() {
            let clock = clock
            book = Book(
                storage,
                clock: DeviceClock(now: clock.clock(of: ObjectIdentifier(clock)).now, sleep: { _ in }),
                protectedData: protectedData
            )
            book.canSave = { [unowned self] in calls += 1 }
        }

        var now: Date { clock.now.date }

        /// Lets something run to its end.
        func finish<Value: Sendable>(_ operation: @escaping @MainActor () async -> Value) -> Value? {
            var value: Value?
            Task { value = await operation() }
            JobQueue.drain()
            return value
        }

        func open() {
            _ = finish { [self] in
                await book.beginOpening(first: { self.preparations += 1 }) { result, _ in
                    self.results.append(result.map(\.count))
                }?.value
            }
        }

        /// Records purchases, and returns what has changed; `nil` if they can't be written.
        func record(_ transactions: StoreTransaction...) -> Ledger.Changes? {
            finish { [self] in try? await book.record(transactions, in: { BookTests.catalog }) { $0 } } ?? nil
        }

        /// Claims a reward, or those that wait, and returns what was settled.
        func settle(_ referrers: [String]?) -> [String]? {
            let claims = referrers?.map { Claim(referrer: Name($0), parameters: [:], isSigned: false) }
            return finish { [self] in
                try? await book.settle(claims, in: { self.catalog }) { _, claims throws(UnlocksError) in
                    (claims.map(JournalEntry.claim), claims.map(\.referrer.rawValue))
                }
            } ?? nil
        }
    }

    nonisolated private static let catalog = ShopCatalog.known(
        items: #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]}"#
    )
    private static let gold = StoreTransaction(id: "1", productID: "gold")

    private static func run(_ test: @escaping @MainActor (Desk) throws -> Void) throws {
        var result: Result<Void, any Error>?
        JobQueue.run { result = Result { try test(Desk()) } }
        try #require(result).get()
    }

    @Test("a book isn't opened before it is started, and only once")
    func start() throws {
        try Self.run { desk in
            desk.open()
            #expect(desk.results.isEmpty && desk.book.closed == .notStarted && desk.record(Self.gold) == nil)
            desk.book.start()
            desk.open()
            desk.open()
            #expect(desk.results == [.success(0)] && desk.preparations == 1 && desk.book.isOpen)
        }
    }

    @Test("somebody who opens a book while it is being opened lets it be tried again if it fails")
    func openedAgain() throws {
        try Self.run { desk in
            desk.book.start()
            desk.storage.isLocked = true
            var held: CheckedContinuation<Void, Never>?
            desk.storage.pause = { await withCheckedContinuation { held = $0 } }
            desk.open()
            desk.open()
            desk.storage.pause = {}
            held?.resume()
            JobQueue.drain()
            #expect(desk.results.count == 2 && desk.preparations == 1)
            desk.storage.isLocked = false
            desk.open()
            #expect(desk.results.count == 3 && desk.book.isOpen)
        }
    }

    @Test("each failure to open makes the pause longer, and a locked device makes none")
    func pauses() throws {
        try Self.run { desk in
            desk.book.start()
            desk.storage.isLocked = true
            for seconds in [1.0, 2, 4] {
                desk.open()
                #expect(desk.book.rest(at: desk.now) == seconds && !desk.book.endPause(at: desk.now))
                #expect(desk.book.endPause(at: desk.now + seconds) && desk.book.rest(at: desk.now) == nil)
            }
            desk.protectedData.isAvailable = false
            desk.open()
            #expect(desk.book.closed == .deviceLocked && desk.book.rest(at: desk.now) == nil)
            var isUnlocked = false
            desk.book.observeUnlocking { isUnlocked = true }
            desk.protectedData.isAvailable = true
            #expect(isUnlocked)
        }
    }

    @Test("a purchase that can't be written waits, and so does one of a product that the catalog lacks")
    func statements() throws {
        try Self.run { desk in
            desk.book.start()
            desk.open()
            desk.storage.next = { .fails }
            #expect(desk.record(Self.gold) == nil && desk.book.laterStatements == [Self.gold])
            #expect(desk.book.unrecordedProducts == ["gold"])
            desk.storage.next = { .succeeds }
            let silver = StoreTransaction(id: "0", productID: "silver")
            #expect(desk.record(silver, Self.gold)?.later.map(\.0) == [silver], "it is new among those that wait")
            #expect(desk.book.laterStatements == [silver] && desk.book.unrecordedProducts == ["silver"])
            #expect(desk.record(silver)?.later.isEmpty == true, "it waits already")
        }
    }

    @Test("two purchases whose names are equal to Swift both wait for the disk")
    func names() throws {
        try Self.run { desk in
            desk.book.start()
            desk.open()
            desk.storage.next = { .fails }
            let both = ["cafe\u{301}", "caf\u{E9}"].map { StoreTransaction(id: $0, productID: "gold") }
            for purchase in both { #expect(desk.record(purchase) == nil) }
            #expect(desk.book.laterStatements.map { Array($0.id.utf8) } == both.map { Array($0.id.utf8) })
            var held: CheckedContinuation<Void, Never>?
            desk.storage.pause = { await withCheckedContinuation { held = $0 } }
            desk.storage.next = { .succeeds }
            #expect(desk.record(both[0], both[1]) == nil)
            desk.storage.pause = {}
            held?.resume()
            JobQueue.drain()
            #expect(desk.book.laterStatements.isEmpty && desk.book.ledger.count == 2)
        }
    }

    @Test("of the statements about a purchase that wait, the one that counts is kept, whichever came last")
    func newest() throws {
        try Self.run { desk in
            let date = Date(timeIntervalSince1970: 1_795_000_000)
            let purchase = StoreTransaction(id: "1", productID: "gold", signedDate: date)
            var refund = purchase
            (refund.isRevoked, refund.signedDate) = (true, date + 1)
            desk.book.start()
            desk.open()
            desk.storage.next = { .fails }
            for (statement, kept) in [(purchase, purchase), (refund, refund), (purchase, refund)] {
                #expect(desk.record(statement) == nil && desk.book.laterStatements == [kept])
            }
            #expect(desk.record(purchase, refund, purchase) == nil && desk.book.laterStatements == [refund])
            desk.storage.next = { .succeeds }
            #expect(desk.record(purchase)?.grants.count == 1)
            #expect(desk.book.laterStatements == [refund], "it still counts once the purchase is recorded")
            #expect(desk.record(refund)?.grants.count == 1)
            #expect(desk.book.laterStatements.isEmpty && desk.book.ledger[.purchase("1")]?.isRevoked == true)
        }
    }

    @Test("of the statements that wait for a catalog, the newest is kept")
    func newestUnknown() throws {
        try Self.run { desk in
            let date = Date(timeIntervalSince1970: 1_795_000_000)
            let old = StoreTransaction(id: "1", productID: "silver", signedDate: date)
            var new = old
            new.signedDate = date + 1
            desk.book.start()
            desk.open()
            for (statement, isNew) in [(old, true), (new, false), (old, false)] {
                #expect(desk.record(statement)?.later.isEmpty == !isNew)
            }
            #expect(desk.book.laterStatements == [new])
        }
    }

    @Test("a purchase that is being written is one that isn't recorded")
    func recording() throws {
        try Self.run { desk in
            desk.book.start()
            desk.open()
            var held: CheckedContinuation<Void, Never>?
            desk.storage.pause = { await withCheckedContinuation { held = $0 } }
            #expect(desk.record(Self.gold) == nil && desk.book.unrecordedProducts == ["gold"])
            desk.storage.pause = {}
            held?.resume()
            JobQueue.drain()
            #expect(desk.book.unrecordedProducts.isEmpty && desk.book.ledger[.purchase("1")] != nil)
        }
    }

    @Test("claims that can't be written wait in the order in which they came, each once")
    func claims() throws {
        try Self.run { desk in
            desk.book.start()
            desk.open()
            desk.storage.next = { .fails }
            for referrers in [["a"], ["b"], ["a"], nil, ["c"]] { #expect(desk.settle(referrers) == nil) }
            desk.storage.next = { .succeeds }
            #expect(desk.settle(nil) == ["a", "b", "c"])
            #expect(desk.settle(nil) == [])
        }
    }

    @Test("at most 1,000 claims that may earn something wait for the disk, and 32 others, as on it")
    func manyClaims() throws {
        try Self.run { desk in
            desk.book.start()
            desk.open()
            desk.storage.next = { .fails }
            for number in 1...40 { #expect(desk.settle(["other \(number)"]) == nil) }
            desk.catalog = .known(items: "", rewards: #"{"id":"welcome","grants":["gold"],"limit":5000}"#)
            for number in 1...1_010 { #expect(desk.settle(["\(number)"]) == nil) }
            desk.storage.next = { .succeeds }
            #expect(desk.settle(nil) == (9...40).map { "other \($0)" } + (1...968).map { "\($0)" })
        }
    }

    @Test("what waits is written as soon as anything is, and the next pause is a short one")
    func saving() throws {
        try Self.run { desk in
            #expect(!desk.book.saveLater(), "nothing is open")
            desk.book.start()
            desk.open()
            #expect(desk.book.saveLater() && !desk.book.saveLater())
            #expect(desk.book.endPause(at: desk.now + 1) && desk.book.saveLater())
            #expect(desk.book.rest(at: desk.now) == 2 && desk.calls == 0)
            #expect(desk.settle(["a"]) == ["a"])
            #expect(desk.calls == 1 && desk.book.rest(at: desk.now) == nil)
            #expect(desk.book.saveLater() && desk.book.rest(at: desk.now) == 1)
        }
    }
}
