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
/// ```
///
/// Everything that is to be signed is on the disk before it is tried. An entry is tried until it is signed, and never again
/// after that.
///
/// Create one center, and keep it while the app runs.
public actor InviteCenter {
    let guestbook: any Guestbook
    let programs: [InviteProgram]
    let clock: DeviceClock
    private let storage: any InviteStorage
    private let purchaseDate: @Sendable () async -> Date?
    let sharedCodes: (any SharedCodes)?
    let makeCode: @Sendable () -> InviteCode

    /// The user's own name as a referrer, in an app that doesn't use codes. Set it with ``setOwnReferrer(_:)``.
    public internal(set) var ownReferrer: String?

    /// The contents of the file; `nil` until it is open.
    private(set) var record: InviteRecord?
    /// Whether the file contains all of them.
    private var isSaved = true
    private var isStarted = false
    private var purchase: Task<Void, Never>?
    var following: Task<Void, Never>?

    /// The number of the last attempt.
    var attemptCount = 0

    // For InviteCenter+Signing.swift
    /// The programs whose entries are tried next.
    var due: [String] = []
    var signing: Attempt<Void>?
    var retry: Task<Void, Never>?
    var failureCount = 0
    var pause: Pause?

    // For InviteCenter+Reading.swift
    var reading: Attempt<Result<Void, InvitesError>>?
    var lastAttempt: Pause?
    var observers: [Int: AsyncStream<[InvitationEntry]>.Continuation] = [:]
    var observerCount = 0

    /// Creates a center.
    ///
    /// - Parameters:
    ///   - guestbook: Where newcomers sign.
    ///   - programs: The app's programs.
    ///   - folder: A folder in the app's own container, which the center creates.
    ///   - sharedCodes: Keeps the user's code on all their devices.
    ///   - ownReferrer: The user's own name as a referrer, in an app that doesn't use codes. It has at most 256 bytes.
    ///   - purchaseDate: Returns the moment when the user first got the app, as the store reports it; `nil` if it isn't
    ///     known. It is asked once per launch until it is known.
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
        self.init(
            guestbook,
            programs,
            DiskInviteStorage(folder),
            sharedCodes,
            ownReferrer,
            purchaseDate,
            clock
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
        makeCode: @escaping @Sendable () -> InviteCode = InviteCode.random
    ) {
        self.guestbook = guestbook
        self.programs = programs
        self.storage = storage
        self.clock = clock
        self.sharedCodes = sharedCodes
        self.ownReferrer = ownReferrer
        self.purchaseDate = purchaseDate
        self.makeCode = makeCode
    }

    deinit {
        retry?.cancel()
        following?.cancel()
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
        try open()
        guard !isStarted else { return }
        isStarted = true
        if record?.purchased == nil { purchase = Task { await learnPurchaseDate() } }
        followSharedCodes()
        trySigningAll()
        if isReadingDue { beginReading() }
    }

    /// Waits until nothing is under way. An entry that waits for a pause isn't.
    package func settled() async {
        while true {
            if let purchase {
                await purchase.value
            } else if let signing {
                await signing.task.value
            } else if let reading {
                _ = await reading.task.value
            } else {
                return
            }
        }
    }

    private func learnPurchaseDate() async {
        if let date = await purchaseDate() { note { $0.purchased = Timestamp(date) } }
        purchase = nil
    }
}

// MARK: - The file

extension InviteCenter {
    /// Opens the file if it isn't open.
    @discardableResult
    func open() throws(InvitesError) -> InviteRecord {
        if let record { return record }
        var opened: InviteRecord
        if let bytes = try storage.open() {
            if let old = try InviteRecord.read(bytes) {
                opened = old
            } else {
                try storage.keepAside(bytes)
                // The first launch isn't known anymore, so the user isn't a newcomer.
                opened = InviteRecord(firstLaunch: Timestamp(milliseconds: 0))
                try storage.save(opened.bytes())
            }
        } else {
            opened = InviteRecord(firstLaunch: clock.now())
            try storage.save(opened.bytes())
        }
        record = opened
        addSharedCodes()
        return opened
    }

    /// Changes the contents, once the change is on the disk. If it throws, nothing has changed.
    func change(_ body: (inout InviteRecord) -> Void) throws(InvitesError) {
        let old = try open()
        var new = old
        body(&new)
        guard new != old || !isSaved else { return }
        try storage.save(new.bytes())
        (record, isSaved) = (new, true)
    }

    /// Records an event. If it can't be saved, it counts until the app ends, and is saved with the next change.
    func note(_ body: (inout InviteRecord) -> Void) {
        do throws(InvitesError) { try change(body) } catch {
            guard var new = record else { return }
            body(&new)
            (record, isSaved) = (new, false)
        }
    }
}
