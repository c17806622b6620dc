import Foundation
import Testing
import UnlockCatalog

@testable import Unlocks

/// Observers hear of each change once, and a state is worked out only when something may have changed it.
@MainActor
struct ObserversTests {
    private let observers = Observers()
    private let start = Date(timeIntervalSince1970: 1_000)

    private static func locked(_ unlock: UnlockID) -> UnlockChange {
        UnlockChange(unlock: unlock, state: .locked, balance: 0)
    }

    private static func open(_ unlock: UnlockID) -> UnlockChange {
        UnlockChange(unlock: unlock, state: .unlocked(by: [.included]), balance: .unlimited)
    }

    /// What a stream has sent so far; it ends then.
    private static func changes(_ stream: AsyncStream<UnlockChange>, count: Int) async -> [UnlockChange] {
        var changes: [UnlockChange] = []
        for await change in stream {
            changes.append(change)
            if changes.count == count { break }
        }
        return changes
    }

    @Test("an observer hears the states in the order of their names, then those that change")
    func changes() async {
        let stream = observers.changes { [Self.locked("b"), Self.locked("a")] }
        observers.publish { [Self.locked("a")] }
        observers.publish { [Self.open("b")] }
        #expect(
            await Self.changes(stream, count: 3) == [
                Self.locked("a"), Self.locked("b"), Self.open("b"),
            ]
        )
    }

    @Test("a new balance is a change, and the same one isn't")
    func balances() async {
        let stream = observers.changes { [Self.locked("a")] }
        for balance in [2, 2, 1] {
            observers.publish {
                [UnlockChange(unlock: "a", state: .unlocked(by: [.allowance]), balance: .left(balance))]
            }
        }
        #expect(await Self.changes(stream, count: 3).map(\.balance) == [0, 2, 1])
    }

    @Test("a second observer hears what was published last, without asking for it")
    func secondObserver() async {
        let first = observers.changes { [Self.locked("a")] }
        observers.publish { [Self.open("a")] }
        let second = observers.changes {
            Issue.record("the states are known")
            return []
        }
        #expect(await Self.changes(second, count: 1).first?.state.isUnlocked == true)
        #expect(await Self.changes(first, count: 2).count == 2)
    }

    @Test("without observers, nothing is worked out to be published")
    func nobody() {
        observers.publish {
            Issue.record("nobody asks")
            return []
        }
    }

    @Test("the streams end with those who send")
    func end() async {
        var observers: Observers? = Observers()
        let stream = observers?.changes { [Self.locked("a")] }
        observers = nil
        var count = 0
        if let stream { for await _ in stream { count += 1 } }
        #expect(count == 1)
    }
}
