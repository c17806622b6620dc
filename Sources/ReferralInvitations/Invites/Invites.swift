import ReferralFoundation

/// What is known about the user's invitations, and the only place that decides what an ``InviteCenter`` does next.
///
/// An event is what has happened: a call of the app, or an answer of the guestbook. ``handle(_:at:save:)`` changes the state and
/// returns effects: what the center now asks of the outside. A question to the guestbook has a number, and its answer has the same.
///
/// A user signs once for each program, by `reach` in Invites+Signing, and a record counts once, by `count` in Invites+Reading. What an
/// event changes is on the disk before anything is done about it, but for what became of a signature.
struct Invites: Sendable, Equatable, EventHandling {
    /// What is waited for until a deadline.
    enum Wait: Sendable, Hashable {
        case signing, reading
        /// The pause after a failure to sign for a program.
        case failure(String)
        /// A pause that the guestbook has asked for, or the pause after a refusal.
        case retry
    }

    /// How long a request to the guestbook is waited for, in seconds: 15 minutes.
    static let patience: TimeInterval = 900
    /// The longest pause, whatever a guestbook asks for, in seconds: 7 days.
    static let maximumPause: TimeInterval = 604_800

    let programs: [InviteProgram]
    let ownReferrer: String?
    private(set) var moment: DeviceMoment

    /// The contents of the file, and what couldn't be saved yet.
    var record: InviteRecord
    private var isSaved = true
    private var isAskingStore = false

    /// The request that others wait for, in Invites+Signing.swift.
    var signing: Signing?
    /// How often an entry couldn't be signed since the launch, by program.
    var failures: [String: Int] = [:]
    /// The reading that is under way, in Invites+Reading.swift.
    var reading: Reading?
    /// The reason why the last reading has failed; `nil` if it hasn't.
    var readingError: InvitesError?

    var deadlines = Deadlines<Wait>()
    var outbox = Outbox<Effect>()

    init(_ record: InviteRecord, programs: [InviteProgram], ownReferrer: String?, at moment: DeviceMoment) {
        self.record = record
        self.programs = programs
        self.ownReferrer = ownReferrer
        self.moment = moment
    }

    /// The moment for the next ``Event/woke(_:)``, on the clock of the deadlines; `nil` if nothing is waited for.
    var nextWake: Timestamp? { deadlines.next }

    var now: Timestamp { moment.now }
}

// MARK: - Events and effects

extension Invites {
    enum Event: Sendable, Equatable {
        // The app.
        case started
        case arrived(referrer: String)
        case reached(event: String)
        /// The app wants the user's code; this is the one to use if there is none.
        case codeAsked(new: InviteCode)
        /// The app wants a reading, perhaps only if one is due.
        case readingAsked(ifDue: Bool)

        // Answers.
        case purchaseDate(Timestamp?)
        /// The codes that the user's devices have shared.
        case sharedCodes(String?)
        case signed(Int, Result<GuestbookAnswer, GuestbookError>)
        case page(Int, Result<GuestbookPage, GuestbookError>)
        /// The deadline ``Invites/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable, Equatable {
        // Answered by an event.
        case purchaseDate
        case sign(Int, GuestbookEntry)
        case page(Int, name: String, cursor: String?)

        /// Not answered.
        case shareCodes(String)
    }

    /// Takes an event, and saves what it changes.
    ///
    /// - Returns: What is to be done, in this order.
    /// - Throws: The reason why a change that the app wants can't be saved. In this case, nothing has changed.
    mutating func handle(
        _ event: Event,
        at moment: DeviceMoment,
        save: (InviteRecord) throws(InvitesError) -> Void
    ) throws(InvitesError) -> [Effect] {
        let before = self
        var limit = moment.steady
        if case .woke(let deadline) = event { limit = max(limit, deadline) }
        let reached = deadlines.due(at: limit)
        self.moment = moment
        apply(event)
        // An answer that is there counts, even if the app was asleep when its time was up.
        for wait in reached where deadlines.take(wait, at: limit) { giveUp(wait) }
        do throws(InvitesError) {
            if record != before.record || !isSaved { try save(record) }
            isSaved = true
        } catch {
            isSaved = false
            switch event {
            case .arrived, .reached, .codeAsked:
                guard record != before.record else { break }
                self = before
                throw error
            // The user is rewarded for who counts, so nobody counts before that is on the disk. The next reading finds them again.
            case .page where record.counted != before.record.counted:
                self = before
                endReading(error)
            // Anything else counts until the app ends, and is saved with the next change.
            default: break
            }
        }
        return outbox.take()
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .started: start()
        case .arrived(let referrer): receiveArrival(from: referrer)
        case .reached(let event): reach(event)
        case .codeAsked(let new):
            guard record.codes.isEmpty else { return }
            record.codes = [new.text]
            shareCodes()
        case .readingAsked(let ifDue): read(ifDue: ifDue)
        case .purchaseDate(let date):
            isAskingStore = false
            record.purchased = date ?? record.purchased
        case .sharedCodes(let text): receiveSharedCodes(text)
        case .signed(let number, let answer): receiveSignature(answer, number)
        case .page(let number, let page): receivePage(page, number)
        case .woke: break
        }
    }

    private mutating func giveUp(_ wait: Wait) {
        switch wait {
        case .signing: failSigning(.offline)
        case .reading: endReading(.guestbook(.offline))
        case .failure, .retry: signNext()
        }
    }

    /// Whether nothing is under way. An entry that waits for a pause isn't.
    var isSettled: Bool { !isAskingStore && signing == nil && reading == nil }

    private mutating func start() {
        if record.purchased == nil, !isAskingStore {
            isAskingStore = true
            perform(.purchaseDate)
        }
        trySigningAgain()
        read(ifDue: true)
    }

    mutating func wait(for wait: Wait, _ seconds: TimeInterval) {
        deadlines.set(wait, after: seconds, at: moment.steady)
    }
}

// MARK: - The user's own codes, on all their devices

extension Invites {
    /// The user's codes. The first one is shown.
    var codes: [InviteCode] { record.codes.compactMap { try? InviteCode($0) } }

    /// The names under which the user invites others.
    var ownNames: [String] { record.codes + [ownReferrer.map(InviteCode.canonical)].compactMap { $0 } }

    /// Whether a referrer is the user.
    func isOwn(_ referrer: String) -> Bool { ownNames.contains(InviteCode.canonical(referrer)) }

    /// Adds the codes of the user's other devices, and gives them this device's, unless they have them.
    private mutating func receiveSharedCodes(_ text: String?) {
        let shared = Set(text?.split(separator: " ").compactMap { try? InviteCode(String($0)).text } ?? [])
        record.codes = shared.union(record.codes).sorted()
        if shared.count < record.codes.count { shareCodes() }
    }

    private mutating func shareCodes() { perform(.shareCodes(record.codes.joined(separator: " "))) }
}
