public import ReferralFoundation

/// Both sides of a referral program: the user's own code and those who came by it, and the signature of a user who was invited.
///
/// ```swift
/// let invites = InviteCenter(
///     guestbook: CloudKitGuestbook(container: .default()),
///     programs: [InviteProgram("invite-2026", event: "first-board")],
///     folder: folder,
///     sharedCodes: UbiquitousCodes()
/// )
/// try await invites.start()
/// bridge.onArrival = { arrival in Task { try? await invites.record(arrival) } }
/// for await entries in await invites.entryUpdates() { try? await unlocks.count(entries) }
/// ```
///
/// Everything that is to be signed is on the disk before it is tried. An entry is tried until it is signed, and never again
/// after that.
///
/// Create one center, and keep it while the app runs.
public actor InviteCenter {
    private let guestbook: any Guestbook
    private let programs: [InviteProgram]
    private let storage: any InviteStorage
    private let sharedCodes: (any SharedCodes)?
    private let purchaseDate: @Sendable () async -> Date?
    nonisolated let clock: DeviceClock
    private let makeCode: @Sendable () -> InviteCode

    /// The user's own name as a referrer, in an app that doesn't use codes.
    public nonisolated let ownReferrer: String?

    /// `nil` until the file is open.
    private var invites: Invites?
    private var timer = WakeTimer()
    /// The calls that wait until something is true of the state.
    private var waiting: [(until: (Invites) -> Bool, call: CheckedContinuation<Invites, Never>)] = []
    private var observers: [UUID: AsyncStream<[InvitationEntry]>.Continuation] = [:]

    /// Creates a center.
    ///
    /// - Parameters:
    ///   - guestbook: Where newcomers sign.
    ///   - programs: The app's programs.
    ///   - folder: A folder in the app's own container, which the center creates. Call it `Invitations`: under another name, a package
    ///     of `DataHandoff` can replace its files.
    ///   - sharedCodes: Keeps the user's code on all their devices.
    ///   - ownReferrer: The user's own name as a referrer, in an app that doesn't use codes. It has at most 256 bytes.
    ///   - purchaseDate: Returns the moment when the user first got the app, as the store reports it; `nil` if it isn't
    ///     known. ``start()`` asks until it is known.
    ///   - clock: The clock that the center uses.
    public init(
        guestbook: any Guestbook,
        programs: [InviteProgram],
        folder: URL,
        sharedCodes: (any SharedCodes)? = nil,
        ownReferrer: String? = nil,
        purchaseDate: @escaping @Sendable () async -> Date? = { nil },
        clock: DeviceClock = .system
    ) {
        self.init(guestbook, programs, InviteFolder(folder), sharedCodes, ownReferrer, purchaseDate, clock)
    }

    package init(
        _ guestbook: any Guestbook,
        _ programs: [InviteProgram],
        _ storage: any InviteStorage,
        _ sharedCodes: (any SharedCodes)?,
        _ ownReferrer: String?,
        _ purchaseDate: @escaping @Sendable () async -> Date?,
        _ clock: DeviceClock,
        makeCode: @escaping @Sendable () -> InviteCode = InviteCode.random
    ) {
        self.guestbook = guestbook
        self.programs = programs
        self.storage = storage
        self.sharedCodes = sharedCodes
        self.ownReferrer = ownReferrer
        self.purchaseDate = purchaseDate
        self.clock = clock
        self.makeCode = makeCode
    }

    deinit {
        timer.cancel()
        for observer in observers.values { observer.finish() }
    }

    /// Opens the file, tries to sign entries that aren't signed yet, and reads the guestbook if that is due. Call it at each
    /// launch.
    ///
    /// The first call ever is the app's first launch: only a referral that arrives within 7 days of it makes the user a
    /// newcomer.
    ///
    /// - Throws: ``InvitesError``. Call it again later, such as when the app becomes active.
    public func start() throws(InvitesError) { try send(.started) }

    /// Waits until nothing is under way. An entry that waits for a pause isn't.
    package func settled() async { if let invites { _ = await wait(from: invites, until: \.isSettled) } }
}

// MARK: - The user who was invited

extension InviteCenter {
    /// Records a referral that reached the app. If the user is a newcomer, the referrer is thanked once the user reaches a
    /// program's event.
    ///
    /// - Parameter arrival: The arrival, as the bridge reported it.
    /// - Returns: Whether it counts. It doesn't if it came more than 7 days after the first launch or the purchase, or if
    ///   the referrer is the user or has a name of more than 256 bytes.
    /// - Throws: ``InvitesError``. Record it again later.
    @discardableResult
    public func record(_ arrival: Arrival) throws(InvitesError) -> Bool {
        try send(.arrived(referrer: arrival.referrer)).accepted(arrival.referrer) != nil
    }

    /// Records that the user has reached an event. If it is a program's, and the user came by an invitation before it, the
    /// user's entry is signed. Only the first time counts, and a name of more than 256 bytes doesn't.
    ///
    /// - Throws: ``InvitesError``. Record it again later.
    public func recordEvent(_ event: String) throws(InvitesError) { try send(.reached(event: event)) }

    /// The entries that aren't signed yet, in the order in which their events were reached.
    public var pendingEntries: [GuestbookEntry] {
        get throws(InvitesError) { try open().record.pending.map(\.entry) }
    }
}

// MARK: - The user who invites

extension InviteCenter {
    /// The user's own code, which is made once.
    ///
    /// If several of the user's devices have made one each, it is the smallest of them, compared as text. The others remain
    /// the user's own.
    ///
    /// - Throws: ``InvitesError`` if a new code can't be saved.
    public func code() throws(InvitesError) -> InviteCode {
        if let code = try loadSharedCodes().codes.first { return code }
        let new = makeCode()
        return try send(.codeAsked(new: new)).codes.first ?? new
    }

    /// Whether a referrer is the user. If the file can't be opened, the user's codes aren't known.
    public func isOwn(_ referrer: String) -> Bool {
        (try? open())?.isOwn(referrer) ?? (InviteCode.canonical(referrer) == ownReferrer.map(InviteCode.canonical))
    }

    /// The entries that count for the user, in the order in which they were found.
    public var entries: [InvitationEntry] { get throws(InvitesError) { try open().record.counted } }

    /// The current entries, followed by all entries each time there are more. If several arrive while the app handles one
    /// value, it receives the newest.
    public func entryUpdates() -> AsyncStream<[InvitationEntry]> {
        let (stream, continuation) = AsyncStream<[InvitationEntry]>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        observers[id] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(id) } }
        if let entries = try? entries { continuation.yield(entries) }
        return stream
    }

    private func removeObserver(_ id: UUID) { observers[id] = nil }

    /// Reads the guestbook, unless it was read less than 15 minutes ago. Call it when the app becomes active.
    ///
    /// - Throws: ``InvitesError``.
    public func readEntriesIfDue() async throws(InvitesError) { try await read(ifDue: true) }

    /// Reads the guestbook for the records of newcomers. `InviteView` calls it when it appears.
    ///
    /// Without a code and an own referrer, nothing is read, since nobody can have come. If the guestbook is being read, this
    /// waits for the answer. If there is none for 15 minutes, the error is ``GuestbookError/offline``.
    ///
    /// - Throws: ``InvitesError``.
    public func readEntries() async throws(InvitesError) { try await read(ifDue: false) }

    private func read(ifDue: Bool) async throws(InvitesError) {
        let state = await wait(from: try send(.readingAsked(ifDue: ifDue))) { $0.reading == nil }
        if let error = state.readingError { throw error }
    }
}

// MARK: - How it is performed. Nothing is decided here.

private extension InviteCenter {
    /// Opens the file if it isn't open.
    func open() throws(InvitesError) -> Invites {
        if let invites { return invites }
        let record = try InviteRecord.open(storage, at: clock.now())
        invites = Invites(record, programs: programs, ownReferrer: ownReferrer, at: clock.moment)
        for observer in observers.values { observer.yield(record.counted) }
        return try loadSharedCodes()
    }

    @discardableResult
    func loadSharedCodes() throws(InvitesError) -> Invites { try send(.sharedCodes(sharedCodes?.load())) }

    /// Sends an event, and performs the effects.
    @discardableResult
    func send(_ event: Invites.Event) throws(InvitesError) -> Invites {
        var state = try open()
        let before = state.record.counted
        let effects = try state.handle(event, at: clock.moment) { record throws(InvitesError) in
            try record.save(in: storage)
        }
        invites = state
        for effect in effects { perform(effect) }
        if state.record.counted != before {
            for observer in observers.values { observer.yield(state.record.counted) }
        }
        for (_, call) in waiting.filter({ $0.until(state) }) { call.resume(returning: state) }
        waiting.removeAll { $0.until(state) }
        timer.wait(until: state.nextWake, clock) { [weak self] in await self?.wake(at: $0) }
        return state
    }

    func wake(at moment: Timestamp) { if timer.end(moment) { answer(.woke(moment)) } }

    /// Sends an event that isn't a call of the app.
    func answer(_ event: Invites.Event) { _ = try? send(event) }

    /// The first state in which something is true, whatever another call changes before this one goes on.
    func wait(from state: Invites, until isTrue: @escaping (Invites) -> Bool) async -> Invites {
        guard !isTrue(state) else { return state }
        return await withCheckedContinuation { waiting.append((isTrue, $0)) }
    }

    func perform(_ effect: Invites.Effect) {
        switch effect {
        case .purchaseDate:
            Task { [weak self, purchaseDate] in
                let date = await purchaseDate()
                await self?.answer(.purchaseDate(date.map { Timestamp($0) }))
            }
        case .sign(let number, let entry): ask({ .signed(number, $0) }) { try await $0.sign(entry) }
        case .page(let number, let name, let cursor):
            ask({ .page(number, $0) }) { guestbook in
                var page = try await guestbook.records(for: name, after: cursor)
                if !page.records.isEmpty {
                    do { page.user = try await guestbook.myself() } catch GuestbookError.notSignedIn {}
                }
                return page
            }
        case .shareCodes(let text): sharedCodes?.save(text)
        }
    }

    /// Asks the guestbook, which may answer late or never. The center may be gone by then.
    func ask<Answer: Sendable>(
        _ event: @escaping @Sendable (Result<Answer, GuestbookError>) -> Invites.Event,
        _ question: @escaping @Sendable (any Guestbook) async throws -> Answer
    ) {
        Task { [weak self, guestbook] in
            let result: Result<Answer, GuestbookError>
            do { result = .success(try await question(guestbook)) } catch {
                result = .failure(error as? GuestbookError ?? .failed("\(error)"))
            }
            await self?.answer(event(result))
        }
    }
}
