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
    /// Called before an entry counts, with the unlocks whose state it may change; `nil` is all.
    var willChange: (Set<UnlockID>?) -> Void = { _ in }
    /// Called after each successful write.
    var didWrite: () -> Void = {}
    /// Waits while the journal is being opened.
    var awaitOpening: () async -> Void = {}

    private let storage: any UnlocksStorage
    /// The app's identifier; `nil` if it isn't known.
    private let app: String?
    private let clock: DeviceClock
    private let protectedData: (any ProtectedData)?
    private let turns = Turns()
    /// The length of the journal, in bytes.
    private var length = 0
    /// Whether lines can be added. A journal in an older format is written again first.
    private var isCurrent = true
    /// The moment of the device's clock that was written last.
    private var written = Date.distantPast
    /// The moment of the device's clock that was written last, or couldn't be.
    private var tried = Date.distantPast
    /// The time, in seconds, after which a moment is written again: ten minutes.
    private static let pauseBetweenMoments = 600.0

    init(
        _ storage: any UnlocksStorage,
        of app: String? = nil,
        clock: DeviceClock,
        protectedData: (any ProtectedData)? = nil
    ) {
        self.storage = storage
        self.app = app
        self.clock = clock
        self.protectedData = protectedData
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
        try await ready()
        return try await turns.take { () throws(UnlocksError) in
            let (entries, value) = try decide(ledger)
            guard !entries.isEmpty else { return value }
            try await write(entries.contains(where: \.isMoment) ? nil : unwrittenMoment, entries)
            return value
        }
    }

    /// Writes a moment of the device's clock, and entries, which count then.
    private func write(_ moment: Date?, _ entries: [JournalEntry]) async throws(UnlocksError) {
        let new = (moment.map { [.seen($0, nil)] } ?? []) + entries
        let lines = await Self.lines(new)
        if isCurrent, try await storage.appendToJournal(lines, at: length) {
            length += lines.count
        } else {
            let all = await Self.lines(ledger.entries + new)
            length = try await storage.replaceJournal(all)
            isCurrent = true
        }
        // The moment counts already, and meanwhile the clock may have shown a later one.
        if let moment { written = moment }
        count(entries)
        didWrite()
    }

    /// Lets entries count until the app ends, without writing them.
    func count(_ entries: [JournalEntry]) {
        for entry in entries {
            willChange(ledger.unlocks(changedBy: entry))
            ledger.apply(entry)
            if case .seen(let moment, nil) = entry { (written, tried) = (moment, moment) }
        }
    }

    /// Changes what the ledger counts.
    func follow(environment: StoreEnvironment?) {
        willChange(nil)
        ledger.toldEnvironment = environment
    }

    func follow(additions: Ledger.Additions, allowances: [UnlockID: Allowance]) {
        willChange(nil)
        (ledger.additions, ledger.allowances) = (additions, allowances)
    }

    /// The moment at which purchases are judged. It is written now and then, so that it is known after a new start.
    var now: Date {
        let clock = clock.now().date
        ledger.clock = clock
        if clock > ledger.seen { ledger.see(clock) }
        if isOpen, let moment = unwrittenMoment, moment > tried + Self.pauseBetweenMoments {
            tried = moment
            Task { [weak self] in try? await self?.writeMoment() }
        }
        return ledger.now(at: clock)
    }

    /// The latest moment of the device's clock, if it is much later than the one that was written last.
    private var unwrittenMoment: Date? {
        let moment = Timestamp(ledger.seen).date
        return moment > written + Self.pauseBetweenMoments ? moment : nil
    }

    private func writeMoment() async throws(UnlocksError) {
        try await turns.take { () throws(UnlocksError) in
            if isOpen, let moment = unwrittenMoment { try await write(moment, []) }
        }
    }

    /// Notes a moment that the store has signed, such as that of the app transaction.
    func see(signed moment: Date) async throws(UnlocksError) {
        try await change { ledger throws(UnlocksError) in (ledger.moments(signed: moment, at: clock.now().date), ()) }
    }

    /// Corrects a clock that was far ahead of a reliable moment.
    func correct(to moment: Date) async throws(UnlocksError) {
        try await change { ledger throws(UnlocksError) in (ledger.correction(to: moment, at: clock.now().date), ()) }
    }

    private nonisolated static func lines(_ entries: [JournalEntry]) async -> [UInt8] { Journal.lines(entries) }

    /// Waits while the journal is being opened.
    ///
    /// - Throws: Why it isn't open.
    func ready() async throws(UnlocksError) {
        if !isOpen { await awaitOpening() }
        if let closed { throw closed }
    }

    /// Opens the journal.
    ///
    /// - Returns: What is wrong with it, or why it can't be opened.
    func open() async -> Result<[UnlocksProblem], UnlocksError> {
        do throws(UnlocksError) {
            return try await turns.take { () throws(UnlocksError) in
                let contents = try await Journal.open(storage, of: app)
                willChange(nil)
                var ledger = contents.ledger
                (ledger.toldEnvironment, ledger.additions) = (self.ledger.toldEnvironment, self.ledger.additions)
                (ledger.allowances, written) = (self.ledger.allowances, ledger.seen)
                (self.ledger, length, closed) = (ledger, contents.length, nil)
                // Damaged lines stay in the journal if no copy of them can be kept.
                isCurrent = contents.isCurrent || !contents.damagedLines.isEmpty
                return .success(contents.problems)
            }
        } catch {
            var error = error
            if case .storage = error, protectedData?.isAvailable == false { error = .deviceLocked }
            willChange(nil)
            closed = error
            return .failure(error)
        }
    }

    /// Calls a closure each time the device's data becomes available.
    func observeUnlocking(_ change: @escaping @MainActor () -> Void) { protectedData?.observe(change) }
}

// MARK: - Content

extension Book {
    func folder(_ name: String) -> URL { storage.folder(name) }

    /// The folder with the folders for content.
    var contents: URL { storage.folder("any").deletingLastPathComponent() }

    func makeFolder(_ name: String) async throws(UnlocksError) -> URL {
        try await turns.take { () throws(UnlocksError) in try await storage.makeFolder(name) }
    }

    func completeFolder(_ name: String, _ description: String) async throws(UnlocksError) -> Bool {
        try await turns.take { () throws(UnlocksError) in try await storage.completeFolder(name, description) }
    }

    func isComplete(_ name: String) async -> Bool {
        await turns.take { await storage.isComplete(name) }
    }

    func completeFolders() async throws(UnlocksError) -> Set<String> {
        try await turns.take { () throws(UnlocksError) in try await storage.completeFolders() }
    }

    func removeFolder(_ name: String) async throws(UnlocksError) {
        try await turns.take { () throws(UnlocksError) in try await storage.removeFolder(name) }
    }
}
