public import ReferralFoundation

/// Both sides of a referral program: the user's own code and those who came by it, and the signature of a user who was invited.
///
/// ```swift
/// let invites = InviteCenter(
///     guestbook: CloudKitGuestbook(container: .default()),
///     programs: [InviteProgram("invite-2026", event: "first-board")],
///     folder: folder,
///     sharedCodes: UbiquitousCodes(),
///     rewards: unlocks
/// )
/// try await invites.start()
/// bridge.onArrival = { arrival in Task { try? await invites.record(arrival) } }
/// ```
///
/// Everything that is to be signed is on the disk before it is tried. An entry is tried until it is signed, and never again
/// after that.
///
/// Create one center, and keep it while the app runs.
public actor InviteCenter {
    private let guestbook: any Guestbook
    private let clock: DeviceClock
    private let storage: any InviteStorage
    private let purchaseDate: @Sendable () async -> Date?
    private let sharedCodes: (any SharedCodes)?
    private let makeCode: @Sendable () -> InviteCode
    private let rewards: (any ReferralRewards)?

    private var invites: Invites
    /// What is still to be performed, in order.
    private var effects: [Invites.Effect] = []
    private var timer = WakeTimer()
    private var lastCall = 0
    /// The calls that wait for an answer.
    private var waiting: [Int: CheckedContinuation<Result<Invites.Answer, InvitesError>, Never>] = [:]
    /// The answers of calls that don't wait.
    private var answers: [Int: Result<Invites.Answer, InvitesError>] = [:]
    private var observers: [Int: AsyncStream<[InvitationEntry]>.Continuation] = [:]
    private var following: Task<Void, Never>?
    private var rewarding: Task<Void, Never>?

    /// Creates a center.
    ///
    /// - Parameters:
    ///   - guestbook: Where newcomers sign.
    ///   - programs: The app's programs.
    ///   - folder: A folder in the app's own container, which the center creates. If it isn't called `Invitations`, create the center
    ///     before packages of `DataHandoff` are installed: only then does no package replace its files.
    ///   - sharedCodes: Keeps the user's code on all their devices.
    ///   - ownReferrer: The user's own name as a referrer, in an app that doesn't use codes. It has at most 256 bytes.
    ///   - purchaseDate: Returns the moment when the user first got the app, as the store reports it; `nil` if it isn't
    ///     known. It is asked once per launch until it is known.
    ///   - rewards: What grants the rewards for the user and for those who invited them: an `UnlockCenter`; `nil` if the app does.
    ///   - clock: The clock that the center uses.
    public init(
        guestbook: any Guestbook,
        programs: [InviteProgram],
        folder: URL,
        sharedCodes: (any SharedCodes)? = nil,
        ownReferrer: String? = nil,
        purchaseDate: @escaping @Sendable () async -> Date? = { nil },
        rewards: (any ReferralRewards)? = nil,
        clock: DeviceClock = .system
    ) {
        self.init(
            guestbook,
            programs,
            DiskInviteStorage(folder),
            sharedCodes,
            ownReferrer,
            purchaseDate,
            clock,
            rewards
        )
    }

    package init(
        _ guestbook: any Guestbook,
        _ programs: [InviteProgram],
        _ storage: any InviteStorage,
        _ sharedCodes: (any SharedCodes)?,
        _ ownReferrer: String?,
        _ purchaseDate: @escaping @Sendable () async -> Date?,
        _ clock: DeviceClock,
        _ rewards: (any ReferralRewards)? = nil,
        makeCode: @escaping @Sendable () -> InviteCode = InviteCode.random
    ) {
        self.guestbook = guestbook
        self.storage = storage
        self.clock = clock
        self.sharedCodes = sharedCodes
        self.purchaseDate = purchaseDate
        self.makeCode = makeCode
        self.rewards = rewards
        invites = Invites(programs: programs, ownReferrer: ownReferrer, at: clock.moment)
    }

    deinit {
        timer.cancel()
        following?.cancel()
        rewarding?.cancel()
        for observer in observers.values { observer.finish() }
    }

    /// Opens the file, tries to sign entries that aren't signed yet, and reads the guestbook if that is due. Call it at each
    /// launch.
    ///
    /// The first call ever is the app's first launch: only a referral that arrives within 7 days of it makes the user a
    /// newcomer.
    ///
    /// - Throws: ``InvitesError``. Call it again later, such as when the app becomes active.
    public func start() throws(InvitesError) {
        try answer { .started(call: $0) }
        countForRewards()
    }

    /// Waits until nothing is under way. An entry that waits for a pause isn't.
    package func settled() async { _ = await result { .settled(call: $0) } }
}

// MARK: - The user who was invited

extension InviteCenter {
    /// Records a referral that reached the app. If the user is a newcomer, the referrer is thanked once the user reaches a
    /// program's event.
    ///
    /// - Parameter arrival: The arrival, as the bridge reported it.
    /// - Returns: Whether it counts. It doesn't if it came more than 7 days after the first launch or the purchase, or if
    ///   the referrer is the user or has a name of more than 256 bytes.
    /// - Throws: ``InvitesError``, or the error of the rewards, which have claimed it also if this can't be saved. Record it again
    ///   later.
    @discardableResult
    public func record(_ arrival: Arrival) async throws -> Bool {
        let counts = Result { () throws(InvitesError) in
            try answer { .arrived(call: $0, referrer: arrival.referrer) } == .counts(true)
        }
        if !isOwn(arrival.referrer) { try await rewards?.claimRewards(of: arrival) }
        return try counts.get()
    }

    /// Records that the user has reached an event. If it is a program's, and the user came by an invitation before it, the
    /// user's entry is signed. Only the first time counts.
    ///
    /// - Throws: ``InvitesError``, or the error of the rewards. Record it again later.
    public func recordEvent(_ event: String) async throws {
        let recorded = Result { () throws(InvitesError) in try answer { .reached(call: $0, event: event) } }
        try await rewards?.recordRewardEvent(event)
        _ = try recorded.get()
    }

    /// The entries that aren't signed yet, in the order in which their events were reached.
    public var pendingEntries: [GuestbookEntry] {
        get throws(InvitesError) { try open().pending.map(\.entry) }
    }
}

// MARK: - The user who invites

extension InviteCenter {
    /// The user's own code, which is made once.
    ///
    /// If several of the user's devices have made one each, it is the smallest of them, compared as text. The others remain
    /// the user's own, see ``otherCodes``.
    ///
    /// - Throws: ``InvitesError`` if a new code can't be saved.
    public func code() throws(InvitesError) -> InviteCode {
        try open()
        if let code = invites.codes.first { return code }
        let new = makeCode()
        try answer { .codeAsked(call: $0, new: new) }
        return invites.codes.first ?? new
    }

    /// The user's other codes, which also count for them.
    public var otherCodes: [InviteCode] {
        get throws(InvitesError) {
            try open()
            return Array(invites.codes.dropFirst())
        }
    }

    /// The user's own name as a referrer, in an app that doesn't use codes. Set it with ``setOwnReferrer(_:)``.
    public var ownReferrer: String? { invites.ownReferrer }

    /// Sets the user's own name as a referrer. Nobody signs for themself.
    public func setOwnReferrer(_ name: String?) { invites.ownReferrer = name }

    /// Whether a referrer is the user.
    public func isOwn(_ referrer: String) -> Bool {
        // The app may ask before it calls `start`. If the file can't be opened, the user's codes aren't known.
        _ = try? open()
        return invites.isOwn(referrer)
    }

    /// The entries that count for the user, in the order in which they were found.
    public var entries: [InvitationEntry] {
        get throws(InvitesError) { try open().counted }
    }

    /// The current entries, followed by all entries each time there are more. If several arrive while the app handles one
    /// value, it receives the newest.
    public func entryUpdates() -> AsyncStream<[InvitationEntry]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [InvitationEntry].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        lastCall += 1
        let number = lastCall
        observers[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(number) } }
        if let entries = try? entries { continuation.yield(entries) }
        return stream
    }

    /// Tells the rewards who has come, now and each time that there are more. What can't be written is counted with the next
    /// entries, or at the next launch.
    private func countForRewards() {
        guard let rewards, rewarding == nil else { return }
        let updates = entryUpdates()
        rewarding = Task { for await entries in updates { try? await rewards.countInvitations(entries) } }
    }

    private func removeObserver(_ number: Int) { observers[number] = nil }

    /// Reads the guestbook, unless it was read less than 15 minutes ago. Call it when the app becomes active.
    ///
    /// - Throws: ``InvitesError``.
    public func readEntriesIfDue() async throws(InvitesError) {
        try open()
        _ = try await result { .readingDue(call: $0) }.get()
    }

    /// Reads the guestbook for the records of newcomers. `InviteView` calls it when it appears.
    ///
    /// Without a code and an own referrer, nothing is read, since nobody can have come. If the guestbook is being read, this
    /// waits for the answer. If there is none for 15 minutes, the error is ``GuestbookError/offline``.
    ///
    /// - Throws: ``InvitesError``.
    public func readEntries() async throws(InvitesError) {
        try open()
        _ = try await result { .readingAsked(call: $0) }.get()
    }
}

// MARK: - How it is performed. Nothing is decided here.

private extension InviteCenter {
    /// Opens the file if it isn't open.
    @discardableResult
    func open() throws(InvitesError) -> InviteRecord {
        if invites.record == nil {
            let contents: Result<[UInt8]?, InvitesError>
            do throws(InvitesError) { contents = .success(try storage.open()) } catch { contents = .failure(error) }
            send(.opened(contents))
        }
        guard let record = invites.record else { throw invites.openFailure ?? .storage("The file isn't open.") }
        return record
    }

    /// The answer of a call that doesn't wait.
    @discardableResult
    func answer(_ event: (Int) -> Invites.Event) throws(InvitesError) -> Invites.Answer {
        try open()
        lastCall += 1
        let call = lastCall
        send(event(call))
        return try answers.removeValue(forKey: call)?.get() ?? .done
    }

    /// The answer of a call that waits.
    func result(_ event: (Int) -> Invites.Event) async -> Result<Invites.Answer, InvitesError> {
        lastCall += 1
        let call = lastCall
        return await withCheckedContinuation { continuation in
            waiting[call] = continuation
            send(event(call))
        }
    }

    func send(_ event: Invites.Event) {
        effects += invites.handle(event, at: clock.moment)
        while !effects.isEmpty { perform(effects.removeFirst()) }
        timer.wait(until: invites.nextWake, clock) { [weak self] in await self?.wake(at: $0) }
    }

    func wake(at moment: Timestamp) {
        if timer.end(moment) { send(.woke(moment)) }
    }

    func perform(_ effect: Invites.Effect) {
        switch effect {
        case .keepAside(let number, let bytes):
            send(.keptAside(number, failure { () throws(InvitesError) in try storage.keepAside(bytes) }))
        case .save(let number, let record):
            send(.saved(number, failure { () throws(InvitesError) in try storage.save(record.bytes()) }))
        case .loadSharedCodes(let number):
            if let sharedCodes { send(.sharedCodes(number, sharedCodes.load())) }
        case .purchaseDate(let number):
            ask { [purchaseDate] in .purchaseDate(number, await purchaseDate().map { Timestamp($0) }) }
        case .sign(let number, let entry):
            ask { [guestbook] in
                do throws(GuestbookError) { _ = try await guestbook.sign(entry) } catch {
                    return .signed(number, error)
                }
                return .signed(number, nil)
            }
        case .page(let number, let name, let cursor):
            ask { [guestbook] in
                do throws(GuestbookError) {
                    return .page(number, .success(try await guestbook.records(for: name, after: cursor)))
                } catch { return .page(number, .failure(error)) }
            }
        case .myself(let number):
            ask { [guestbook] in
                do throws(GuestbookError) { return .myself(number, .success(try await guestbook.myself())) } catch {
                    return .myself(number, .failure(error))
                }
            }
        case .followSharedCodes: followSharedCodes()
        case .shareCodes(let text): sharedCodes?.save(text)
        case .publish(let entries): for observer in observers.values { observer.yield(entries) }
        case .resume(let call, let answer):
            if let continuation = waiting.removeValue(forKey: call) {
                continuation.resume(returning: answer)
            } else {
                answers[call] = answer
            }
        }
    }

    /// Asks the outside, which may answer late or never. The center may be gone by then.
    func ask(_ question: @escaping @Sendable () async -> Invites.Event) {
        Task { [weak self] in
            let answer = await question()
            await self?.send(answer)
        }
    }

    func failure(_ body: () throws(InvitesError) -> Void) -> InvitesError? {
        do throws(InvitesError) { try body() } catch { return error }
        return nil
    }

    func followSharedCodes() {
        guard let changes = sharedCodes?.changes() else { return }
        following = Task { [weak self] in
            for await _ in changes { await self?.send(.sharedCodesChanged) }
        }
    }
}
