import ReferralFoundation

/// The user's purchases and rewards, in memory and on the disk. A change counts once it is on the disk.
///
/// Each change is decided, written and counted before the next one, so that the basis of a decision still holds when it
/// counts. The disk isn't used on the main actor.
@MainActor
final class Book {
    private(set) var ledger = Ledger()
    /// Why nothing can be written; `nil` once the journal is open.
    private(set) var closed: UnlocksError? = .notStarted
    /// Called before something changes that counts.
    var willChange: () -> Void = {}
    /// Called after each successful write.
    var didWrite: () -> Void = {}
    /// Waits while the journal is being opened.
    var awaitOpening: () async -> Void = {}

    let storage: any UnlocksStorage
    /// The app's identifier; `nil` if it isn't known.
    private let app: String?
    private let clock: DeviceClock
    private let turns = Turns()
    /// A damaged journal of which no copy is kept yet.
    private var damaged: [UInt8]?
    /// The moment of the device's clock that was written last, or couldn't be.
    private var written = Date.distantPast
    /// The time, in seconds, after which a moment is written again: ten minutes.
    private static let pauseBetweenMoments = 600.0

    init(_ storage: any UnlocksStorage, of app: String? = nil, clock: DeviceClock) {
        self.storage = storage
        self.app = app
        self.clock = clock
    }

    var isOpen: Bool { closed == nil }

    /// Changes the user's purchases and rewards.
    ///
    /// - Parameter decide: Returns the entries, which are written as one, and a value.
    /// - Returns: That value, once the entries are on the disk.
    /// - Throws: The reason why they can't be written, or the closure's error. Nothing has changed then.
    func change<Value>(
        _ decide: (Ledger) throws(UnlocksError) -> (entries: [JournalEntry], value: Value)
    ) async throws(UnlocksError) -> Value {
        if !isOpen { await awaitOpening() }
        if let closed { throw closed }
        return try await turns.take { () throws(UnlocksError) in
            let (entries, value) = try decide(ledger)
            if !entries.isEmpty { try await write(entries) }
            return value
        }
    }

    private func write(_ entries: [JournalEntry]) async throws(UnlocksError) {
        var new = ledger
        new.apply(entries)
        try await keepDamaged()
        try await storage.writeJournal(Self.text(of: new))
        written = new.seen
        count(entries)
        didWrite()
    }

    /// Keeps a copy of a damaged journal, over which nothing is written before.
    private func keepDamaged() async throws(UnlocksError) {
        guard let bytes = damaged else { return }
        try await storage.keepAside(bytes)
        damaged = nil
    }

    private nonisolated static func text(of ledger: Ledger) async -> [UInt8] { Journal.text(of: ledger) }

    /// Lets entries count until the app ends, without writing them.
    func count(_ entries: [JournalEntry]) {
        willChange()
        ledger.apply(entries)
    }

    /// Changes what the ledger counts.
    func follow(environment: StoreEnvironment) {
        willChange()
        ledger.environment = environment
    }

    func follow(additions: Ledger.Additions, allowances: [UnlockID: Allowance]) {
        willChange()
        (ledger.additions, ledger.allowances) = (additions, allowances)
    }

    /// The moment at which purchases are judged. It is written now and then, so that it is known after a new start.
    var now: Date {
        let clock = clock.now().date
        ledger.clock = clock
        if clock > ledger.seen { ledger.see(clock) }
        if isOpen, ledger.seen > written + Self.pauseBetweenMoments {
            written = ledger.seen
            Task { [weak self] in
                try? await self?.change { ledger throws(UnlocksError) in ([.seen(ledger.seen, nil)], ()) }
            }
        }
        return ledger.now(at: clock)
    }

    /// Opens the journal.
    ///
    /// - Returns: What is wrong with it, or why it can't be opened.
    func open() async -> Result<[UnlocksProblem], UnlocksError> {
        do throws(UnlocksError) {
            return try await turns.take { () throws(UnlocksError) in
                let bytes = try await storage.openJournal()
                let contents = try await Self.read(bytes, of: app)
                // Nothing is written over another app's journal of which no copy can be kept.
                if contents.otherApp != nil { try await storage.keepAside(bytes) }
                damaged = contents.damagedLines.isEmpty ? nil : bytes
                try? await keepDamaged()
                willChange()
                var new = contents.ledger
                new.environment = ledger.environment
                (new.additions, new.allowances, written) = (ledger.additions, ledger.allowances, new.seen)
                (ledger, closed) = (new, nil)
                return .success(contents.problems)
            }
        } catch {
            willChange()
            closed = error
            return .failure(error)
        }
    }

    private nonisolated static func read(
        _ bytes: [UInt8],
        of app: String?
    ) async throws(UnlocksError) -> Journal.Contents {
        try Journal.read(bytes, of: app)
    }
}
