import ReferralFoundation

/// The user's purchases and rewards, in memory and on the disk. A change counts once it is on the disk.
///
/// Each change is decided, written and counted before the next one, so that the basis of a decision still holds when it
/// counts. The disk isn't used on the main actor. Changes that can't be written wait here until they are tried again.
@MainActor
final class Book {
    private(set) var ledger = Ledger()
    /// Why nothing can be written; `nil` once the journal is open.
    private(set) var closed: UnlocksError? = .notStarted
    /// Whether the journal may be opened.
    private(set) var isStarted = false
    /// Called before an entry counts, with the unlocks whose state it may change; `nil` is all.
    var willChange: (Set<UnlockID>?) -> Void = { _ in }
    /// Called after a successful write if other changes wait for the disk.
    var canSave: () -> Void = {}

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
    private var isWritingMoment = false
    /// The time, in seconds, after which a moment is written again: ten minutes.
    private static let pauseBetweenMoments = 600.0

    private var opening: Task<Void, Never>?
    /// Whether ``beginOpening(first:_:)`` was called again while the journal was being opened.
    private var isOpenedAgain = false
    /// The number of failed attempts to open the journal, or to write it, since the last success.
    private var failures = 0
    private var pause: Pause?

    /// Claims that couldn't be written yet.
    private var claims: [Claim] = []
    /// Verified statements, by transaction, that wait for a catalog with the product, or until they can be written.
    private var later: [Name: StoreTransaction] = [:]
    /// New purchases that are being written, which takes a while on a slow disk.
    private var recording: [Name: StoreTransaction] = [:]

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

    func start() { isStarted = true }

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
        failures = 0
        if pause != nil {
            pause = nil
            canSave()
        }
    }

    /// Lets entries count until the app ends, without writing them.
    func count(_ entries: [JournalEntry]) {
        for entry in entries {
            willChange(ledger.unlocks(changedBy: entry))
            ledger.apply(entry)
            if case .seen(let moment, nil) = entry { written = moment }
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
        if isOpen, !isWritingMoment, unwrittenMoment != nil {
            isWritingMoment = true
            Task { [weak self] in
                try? await self?.writeMoment()
                self?.isWritingMoment = false
            }
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
        if !isOpen { await opening?.value }
        if let closed { throw closed }
    }

    /// Opens the journal, unless it is already being opened. If opening fails, and this was called meanwhile, it is tried
    /// again.
    ///
    /// The second closure receives the result of each attempt: what is wrong with the journal, or the error, and whether an attempt
    /// failed before. While the device is locked, no further attempt is scheduled.
    ///
    /// - Returns: The attempts, while they are made; `nil` if the journal is open, or may not be opened.
    func beginOpening(
        first prepare: @escaping @MainActor () async -> Void = {},
        _ end: @escaping @MainActor (Result<[UnlocksProblem], UnlocksError>, _ isAgain: Bool) -> Void
    ) -> Task<Void, Never>? {
        guard isStarted, !isOpen else { return nil }
        isOpenedAgain = true
        let task =
            opening
            ?? Task {
                pause = nil
                await prepare()
                repeat {
                    isOpenedAgain = false
                    let isAgain = failures > 0
                    end(await openJournal(), isAgain)
                } while !isOpen && isOpenedAgain
                opening = nil
            }
        opening = task
        return task
    }

    private func openJournal() async -> Result<[UnlocksProblem], UnlocksError> {
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
                (failures, pause) = (0, nil)
                return .success(contents.problems)
            }
        } catch {
            var error = error
            if case .storage = error, protectedData?.isAvailable == false { error = .deviceLocked }
            closed = error
            switch error {
            case .deviceLocked, .folderIsShared, .newerJournal: break
            // A disk that is full may have room later, and another process may end.
            default: beginPause()
            }
            return .failure(error)
        }
    }

    /// Calls a closure each time the device's data becomes available.
    func observeUnlocking(_ change: @escaping @MainActor () -> Void) { protectedData?.observe(change) }

    /// Records verified statements of the store, and passes on the changes. Statements that can't be recorded or written
    /// yet wait here. The changes list only those that weren't waiting before.
    func record<Value>(
        _ transactions: [StoreTransaction],
        in catalog: () -> ShopCatalog,
        _ use: (Ledger.Changes) -> Value
    ) async throws(UnlocksError) -> Value {
        let new = transactions.filter(ledger.isNewPurchase)
        for purchase in new { recording[Name(purchase.id)] = purchase }
        defer { for purchase in new { recording[Name(purchase.id)] = nil } }
        do throws(UnlocksError) {
            var changes = try await change { ledger throws(UnlocksError) in
                let changes = ledger.changes(for: transactions, in: catalog(), at: clock.now().date)
                return (changes.entries, changes)
            }
            changes.later = changes.later.filter { wait($0.0) }
            // After a purchase before it, a refund that waits still changes something.
            for name in changes.new.union(changes.known) where later[name].map(ledger.isKnown) ?? false {
                later[name] = nil
            }
            return use(changes)
        } catch {
            let changes = ledger.changes(for: transactions, in: catalog(), at: clock.now().date)
            for transaction in changes.pending { _ = wait(transaction) }
            throw error
        }
    }

    /// Keeps a statement for later. Of two about the same transaction, the one that replaces the other stays.
    ///
    /// - Returns: Whether it is the first one about its transaction.
    private func wait(_ transaction: StoreTransaction) -> Bool {
        let name = Name(transaction.id)
        guard let old = later[name] else {
            later[name] = transaction
            return true
        }
        if transaction.replaces(old) { later[name] = transaction }
        return false
    }

    /// The statements that wait for a catalog or the disk.
    var laterStatements: [StoreTransaction] { later.sorted { $0.key < $1.key }.map(\.value) }

    /// The products of the purchases that wait or are being recorded.
    var unrecordedProducts: Set<ProductID> {
        Set((later.values.filter { !$0.isRevoked } + recording.values).map(\.productID))
    }

    /// Settles claims; with `nil`, the waiting ones. Claims that can't be written wait, at most as many as the ledger keeps.
    func settle<Value>(
        _ new: [Claim]?,
        in catalog: () -> ShopCatalog,
        _ decide: (Ledger, [Claim]) throws(UnlocksError) -> (entries: [JournalEntry], value: Value)
    ) async throws(UnlocksError) -> Value {
        let settled = new ?? claims
        if new == nil { claims = [] }
        do throws(UnlocksError) {
            return try await change { ledger throws(UnlocksError) in try decide(ledger, settled) }
        } catch {
            claims = new == nil ? settled + claims : claims + settled.filter { !claims.contains($0) }
            let dispensable = Set(ledger.dispensable(claims, in: catalog()))
            claims.removeAll(where: dispensable.contains)
            throw error
        }
    }

    /// Begins a pause, after which waiting changes are tried again.
    ///
    /// - Returns: Whether a pause began. It doesn't if there is one, or if the journal isn't open.
    func saveLater() -> Bool {
        guard isOpen, pause == nil else { return false }
        beginPause()
        return true
    }

    private func beginPause() {
        pause = Pause(after: failures, at: clock.now().date)
        failures += 1
    }

    /// The seconds until the journal is to be opened or written again; `nil` if neither is.
    func rest(at now: Date) -> Double? { pause?.rest(at: now) }

    /// Ends the pause if it is over, and returns whether it is.
    func endPause(at now: Date) -> Bool {
        guard rest(at: now) == 0 else { return false }
        pause = nil
        return true
    }
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
