import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

/// A center's file, as a fault or somebody else has left it.
struct InviteFileTests {
    private let clock = TestClock(.firstLaunch)
    private let anna = InMemoryGuestbook(user: "_anna")

    private func center(_ storage: MemoryStorage) -> InviteCenter {
        InviteCenter(anna, storage, codes: MemoryCodes("4F7K-9Q2M-XRKQ"), clock: clock)
    }

    /// A file with something in each of its members.
    private func file() async throws -> [UInt8] {
        let storage = MemoryStorage()
        let entry = GuestbookEntry(program: "invite-2026", referrer: "4F7K-9Q2M-XRKQ", event: "e", day: Date())
        _ = try await anna.shared(with: "_ben").sign(entry)
        let center = center(storage)
        try await center.start()
        await center.settled()
        try await center.record(from: "ben")
        await anna.change { $0.failure = .notAllowed("a test") }
        try await center.recordEvent("first-board")
        await center.settled()
        await anna.change { $0.failure = .retryAfter(60) }
        clock.milliseconds += 86_400_000
        let next = self.center(storage)
        try await next.start()
        await next.settled()
        return try #require(storage.bytes)
    }

    @Test("whatever bytes are damaged, the app opens it and goes on, and never throws anything away")
    func bytes() async throws {
        let bytes = try await file()
        var generator = SeededGenerator(state: 1)
        for index in 0..<300 {
            var damaged = bytes
            switch index % 3 {
            case 0: damaged.removeLast(.random(in: 1...bytes.count, using: &generator))
            case 1: damaged[.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            default:
                let place = Int.random(in: bytes.indices, using: &generator)
                damaged.insert(.random(in: 0...255, using: &generator), at: place)
            }
            let storage = MemoryStorage()
            storage.bytes = damaged
            try await use(storage)
            if let kept = storage.keptAside.first { #expect(kept == damaged) }
        }
    }

    /// Does with a file what an app does.
    private func use(_ storage: MemoryStorage) async throws {
        await anna.change { $0.failure = nil }
        let center = center(storage)
        do {
            try await center.start()
            _ = try await center.code()
            try await center.recordEvent("another")
            for entry in try await center.pendingEntries { _ = entry.day.formatted(.iso8601) }
            await center.settled()
            try await center.readEntries()
        } catch InvitesError.guestbook(.retryAfter(let seconds)) {
            #expect(seconds <= 604_800)
        }
        await center.settled()
    }
}
