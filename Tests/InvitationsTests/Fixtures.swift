import Foundation
import ReferralBridge
import ReferralInvitations
import TestSupport

/// A disk in memory.
final class MemoryStorage: InviteStorage, @unchecked Sendable {
    private let lock = NSLock()
    private var file: [UInt8]?
    private var copies: [[UInt8]] = []
    private var count = 0
    private var capacity = Int.max

    var bytes: [UInt8]? {
        get { lock.withLock { file } }
        set { lock.withLock { file = newValue } }
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
            guard capacity > 0 else { return false }
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

    init(_ text: String? = nil) { self.text = text }

    func load() -> String? { lock.withLock { text } }

    func save(_ text: String) { lock.withLock { self.text = text } }
}

/// A guestbook that gives each question for records the same answer.
struct AnsweringGuestbook: Guestbook {
    /// `nil` if nobody is signed in.
    let user: String?
    let answer: @Sendable () async throws(GuestbookError) -> GuestbookPage

    func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer { .signed }
    func records(for _: String, after _: String?) async throws(GuestbookError) -> GuestbookPage { try await answer() }
    func myself() async throws(GuestbookError) -> String {
        guard let user else { throw .notSignedIn }
        return user
    }
}

extension Timestamp {
    /// The app's first launch, unless something else is said.
    static let firstLaunch = Timestamp(milliseconds: 1_795_219_200_000)
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
