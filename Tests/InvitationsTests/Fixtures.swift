import Foundation
import Invitations
import ReferralBridge
import Testing

/// A disk in memory.
final class MemoryStorage: InviteStorage, @unchecked Sendable {
    private let lock = NSLock()
    private var file: [UInt8]?
    private var copies: [[UInt8]] = []
    private var fails = false
    private var count = 0
    private var capacity = Int.max

    var bytes: [UInt8]? {
        get { lock.withLock { file } }
        set { lock.withLock { file = newValue } }
    }
    var isFailing: Bool {
        get { lock.withLock { fails } }
        set { lock.withLock { fails = newValue } }
    }
    /// How often the file was written.
    var writeCount: Int { lock.withLock { count } }
    /// The number of writes after which the disk accepts no more.
    var writesLeft: Int {
        get { lock.withLock { capacity } }
        set { lock.withLock { capacity = newValue } }
    }
    var keptAside: [[UInt8]] { lock.withLock { copies } }

    func open() throws(InvitesError) -> [UInt8]? { bytes }

    func save(_ bytes: [UInt8]) throws(InvitesError) {
        let isSaved = lock.withLock {
            guard !fails, capacity > 0 else { return false }
            (file, count, capacity) = (bytes, count + 1, capacity - 1)
            return true
        }
        guard isSaved else { throw .storage("the disk is full") }
    }

    func keepAside(_ bytes: [UInt8]) throws(InvitesError) { lock.withLock { copies.append(bytes) } }
}

/// iCloud's key-value store, which several devices share.
final class MemoryCodes: SharedCodes, @unchecked Sendable {
    private let lock = NSLock()
    private var text: String?
    private var observers: [AsyncStream<Void>.Continuation] = []
    private var (loads, saves) = (0, 0)

    init(_ text: String? = nil) { self.text = text }

    /// How often a device has read it.
    var loadCount: Int { lock.withLock { loads } }
    /// How often a device has written it.
    var saveCount: Int { lock.withLock { saves } }

    func load() -> String? {
        lock.withLock {
            loads += 1
            return text
        }
    }

    func save(_ text: String) { lock.withLock { (self.text, saves) = (text, saves + 1) } }

    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        lock.withLock { observers.append(continuation) }
        return stream
    }

    /// Another device saves a text.
    func receive(_ text: String) {
        let observers = lock.withLock {
            self.text = text
            return self.observers
        }
        for observer in observers { observer.yield() }
    }
}

/// A clock that a test sets. Sleepers wait until it reaches their time.
final class TestClock: @unchecked Sendable {
    private struct Sleeper {
        let end: Double
        let continuation: CheckedContinuation<Void, Never>
    }

    private let lock = NSLock()
    private var time: Double
    private var sleepers: [Sleeper] = []
    /// The pauses that were waited for, in seconds.
    private var lengths: [Double] = []

    /// Whether pauses end.
    private let endsPauses: Bool

    init(_ milliseconds: Double = 1_795_219_200_000, endsPauses: Bool = true) {
        (time, self.endsPauses) = (milliseconds, endsPauses)
    }

    var pauses: [Double] { lock.withLock { lengths } }

    var now: Double {
        get { lock.withLock { time } }
        set {
            let woken = lock.withLock {
                time = newValue
                guard endsPauses else { return [Sleeper]() }
                let woken = sleepers.filter { $0.end <= newValue }
                sleepers.removeAll { $0.end <= newValue }
                return woken
            }
            for sleeper in woken { sleeper.continuation.resume() }
        }
    }

    var clock: DeviceClock {
        let now: @Sendable () -> Timestamp = { Timestamp(milliseconds: self.now) }
        return DeviceClock(now: now, uptime: { nil }) { seconds in
            await withCheckedContinuation { continuation in
                let isOver = self.lock.withLock {
                    self.lengths.append(seconds)
                    guard seconds > 0 || !self.endsPauses else { return true }
                    self.sleepers.append(Sleeper(end: self.time + seconds * 1_000, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
    }
}

extension InviteCenter {
    /// A center for tests.
    init(
        _ guestbook: any Guestbook,
        _ storage: MemoryStorage,
        programs: [InviteProgram] = [.test],
        codes: MemoryCodes? = nil,
        ownReferrer: String? = nil,
        purchased: Date? = nil,
        clock: TestClock
    ) {
        self.init(guestbook, programs, storage, codes, ownReferrer, { purchased }, clock.clock)
    }

    func record(from referrer: String, at milliseconds: Double = 1_795_219_201_000) throws {
        let referral = try Referral(referrer: referrer, timestamp: Timestamp(milliseconds: milliseconds))
        _ = try record(Arrival(referral, road: .typed))
    }
}

extension InviteProgram {
    static let test = InviteProgram("invite-2026", event: "first-board")
}

/// Waits until something is so, for at most two minutes: other tests may hold the processors.
func eventually(_ condition: @Sendable () async throws -> Bool) async throws -> Bool {
    for _ in 0..<120_000 {
        if try await condition() { return true }
        try await Task.sleep(nanoseconds: 1_000_000)
    }
    return false
}
