import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

/// What the tests themselves rely on.
struct TestSupportTests {
    @Test("who waits is told after each job of the main actor, and of a change elsewhere")
    @MainActor
    func until() async {
        var count = 0
        Task {
            for _ in 0..<100 {
                await Task.detached {}.value
                count += 1
            }
        }
        // One job may count more than once.
        await TestSupport.until { count >= 50 }
        DispatchQueue.main.async {
            MainActor.assumeIsolated { count = -1 }
            MainActorWatch.changed()
        }
        await TestSupport.until { count == -1 }
    }

    @Test("a simulation that waits for what never comes fails at once")
    @MainActor
    func stuck() {
        #expect(throws: JobQueue.Stuck.self) {
            try JobQueue.runToEnd { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
        }
    }

    @Test("of several who wait in a simulation, the first one is the last to go on")
    @MainActor
    func order() throws {
        var order: [Int] = []
        try JobQueue.runToEnd {
            Task {
                await JobQueue.settle()
                order.append(1)
            }
            await JobQueue.settle()
            order.append(2)
        }
        #expect(order == [1, 2])
    }

    @Test("a clock's sleeps end at their time, and take none if they are short enough")
    @MainActor
    func clock() throws {
        try JobQueue.runToEnd {
            let clock = TestClock(skippingUpTo: 20)
            let start = clock.milliseconds
            await clock.clock.sleep(20)
            #expect(clock.milliseconds == start + 20_000)
            var isOver = false
            Task {
                await clock.clock.sleep(21)
                isOver = true
            }
            await JobQueue.settle()
            clock.milliseconds += 20_999
            await JobQueue.settle()
            #expect(!isOver)
            clock.milliseconds += 1
            await JobQueue.settle()
            #expect(isOver)
        }
    }

    @Test("work that grows with the square of its size is noticed")
    func square() throws {
        func work(_ count: Int) {
            var sum = 0
            for number in 0..<count { sum &+= number }
            withExtendedLifetime(sum) {}
        }
        try expectLinear(1 << 20) { work($0) }
        withKnownIssue { try expectLinear(1 << 11) { work($0 * $0) } }
    }
}
