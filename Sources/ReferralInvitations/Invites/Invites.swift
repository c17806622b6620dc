import ReferralFoundation

/// What is known about the user's invitations, and the only place that decides what an ``InviteCenter`` does next.
///
/// An event is what has happened: a call of the app, what the file contains, or an answer of the guestbook.
/// ``handle(_:at:)`` changes the state and returns effects: what the center now asks of the outside. Each effect that is answered
/// has a number, and its answer has the same number.
///
/// What is to be signed is on the disk before it is tried.
struct Invites: Sendable, Equatable, EventHandling {
    /// What is waited for until a deadline.
    enum Wait: Sendable, Hashable {
        case signing(Int)
        case reading(Int)
        case retry
    }

    /// What a call of the app is answered with.
    enum Answer: Sendable, Equatable {
        case done
        case code(InviteCode)
        /// Whether an arrival counts.
        case counts(Bool)
    }

    /// A change that is being written.
    struct Write: Sendable, Equatable {
        let change: InviteRecord.Change
        /// Whether nothing has changed if it fails. Otherwise the change counts until the app ends, and is saved with the next one.
        let isRequired: Bool
        let next: Next
    }

    /// What goes on once a change is written.
    enum Next: Sendable, Equatable {
        case nothing
        case resume(call: Int, Answer)
        case shareCodes
        case giveCode(call: Int, InviteCode)
        case signNew(call: Int, programs: [String])
        case signNext
        /// What goes on in a reading, by its number.
        case read(Int, Reading.Next)
    }

    /// How long others wait for a request to the guestbook that isn't answered, in seconds: 15 minutes.
    static let patience: TimeInterval = 900

    let programs: [InviteProgram]
    var ownReferrer: String?
    var moment: DeviceMoment

    /// The contents of the file, and what couldn't be saved yet; `nil` until the file is open.
    private(set) var record: InviteRecord?
    /// Why the file couldn't be opened.
    private(set) var openFailure: InvitesError?
    private(set) var opening: Opening?
    /// Whether the file contains everything.
    private var isSaved = true
    private var writes: [Int: Write] = [:]

    private var isStarted = false
    /// The question for the purchase date.
    private var purchaseQuestion: Int?

    // For Invites+Codes.swift
    /// The question for what other devices have saved.
    var codesQuestion: Int?

    // For Invites+Signing.swift
    /// The programs whose entries are tried next.
    var due: [String] = []
    var isSigning = false
    /// The entries of requests that aren't answered. A late answer counts too.
    var signatures: [Int: InviteRecord.Pending] = [:]
    /// The request that others wait for.
    var signature: Int?
    var failureCount = 0
    var pause: Pause?

    // For Invites+Reading.swift
    var reading: Reading?
    var lastReading: Pause?

    var deadlines = Deadlines<Wait>()
    /// The calls that wait until nothing is under way.
    private var settling: [Int] = []
    var outbox = Outbox<Effect>()

    enum Opening: Sendable, Equatable {
        case keepingAside(Int, InviteRecord)
        case saving(Int, InviteRecord)
    }

    init(programs: [InviteProgram], ownReferrer: String?, at moment: DeviceMoment) {
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
        // The app. Each call is answered by an effect `resume` with its number.
        case started(call: Int)
        case arrived(call: Int, referrer: String)
        case reached(call: Int, event: String)
        /// The app wants the user's code; the second is the one to use if there is none.
        case codeAsked(call: Int, new: InviteCode)
        case readingAsked(call: Int)
        /// The app became active, and wants a reading only if one is due.
        case readingDue(call: Int)
        case settled(call: Int)

        // The disk.
        case opened(Result<[UInt8]?, InvitesError>)
        case saved(Int, InvitesError?)
        case keptAside(Int, InvitesError?)

        // Answers.
        case purchaseDate(Int, Timestamp?)
        case sharedCodes(Int, String?)
        /// Another device has saved its codes.
        case sharedCodesChanged
        case signed(Int, GuestbookError?)
        case page(Int, Result<GuestbookPage, GuestbookError>)
        case myself(Int, Result<String, GuestbookError>)
        /// The deadline ``Invites/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable, Equatable {
        // Answered before the next event.
        case keepAside(Int, [UInt8])
        case save(Int, InviteRecord)
        case loadSharedCodes(Int)

        // Answered by the event of the same name.
        case purchaseDate(Int)
        case sign(Int, GuestbookEntry)
        case page(Int, name: String, cursor: String?)
        case myself(Int)

        // Not answered.
        case followSharedCodes
        case shareCodes(String)
        case publish([InvitationEntry])
        case resume(call: Int, Result<Answer, InvitesError>)
    }

    /// Takes an event, and returns what is to be done, in this order.
    mutating func handle(_ event: Event, at moment: DeviceMoment) -> [Effect] {
        var limit = moment.steady
        if case .woke(let deadline) = event { limit = max(limit, deadline) }
        let reached = deadlines.due(at: limit)
        self.moment = moment
        happen(event)
        // An answer that is there counts, even if the app was asleep when its time was up.
        for wait in reached where deadlines.take(wait, at: limit) { giveUp(wait) }
        if isSettled {
            for call in settling { resume(call, .done) }
            settling = []
        }
        return outbox.take()
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .started(let call): if begins(call) { start(call) }
        case .arrived(let call, let referrer): if begins(call) { receiveArrival(from: referrer, call) }
        case .reached(let call, let event): if begins(call) { reach(event, call) }
        case .codeAsked(let call, let new): if begins(call) { giveCode(call, orNew: new) }
        case .readingAsked(let call): if begins(call) { beginReading(call) }
        case .readingDue(let call):
            guard begins(call) else { return }
            if isReadingDue { beginReading(call) } else { resume(call, .done) }
        case .settled(let call): if isNew(call) { settling.append(call) }
        case .opened(let result): receiveFile(result)
        case .keptAside(let number, let failure): continueOpening(number, failure)
        case .saved(let number, let failure):
            continueOpening(number, failure)
            endWrite(number, failure)
        case .purchaseDate(let number, let date):
            guard purchaseQuestion == number else { return }
            purchaseQuestion = nil
            if let date { note(.purchased(date)) }
        case .sharedCodes(let number, let text): receiveSharedCodes(text, number)
        case .sharedCodesChanged: loadSharedCodes()
        case .signed(let number, let failure): receiveSignature(failure, number)
        case .page(let number, let page): receivePage(page, number)
        case .myself(let number, let user): receiveUser(user, number)
        case .woke: break
        }
    }

    private mutating func giveUp(_ wait: Wait) {
        switch wait {
        case .signing(let number): endSigning(number)
        case .reading(let number): if reading?.number == number { endReading(.guestbook(.offline)) }
        case .retry: trySigningAll()
        }
    }

    /// Whether nothing is under way. An entry that waits for a pause isn't.
    private var isSettled: Bool {
        purchaseQuestion == nil && !isSigning && reading == nil && writes.isEmpty && opening == nil
    }

    private mutating func start(_ call: Int) {
        resume(call, .done)
        guard !isStarted else { return }
        isStarted = true
        if record?.purchased == nil { purchaseQuestion = ask(Effect.purchaseDate) }
        perform(.followSharedCodes)
        trySigningAll()
        if isReadingDue { beginReading(nil) }
    }

    /// Whether a call is new and the file is open. If the file isn't, the call is answered with the reason.
    private mutating func begins(_ call: Int) -> Bool {
        guard isNew(call) else { return false }
        guard record == nil else { return true }
        perform(.resume(call: call, .failure(openFailure ?? .storage("The file isn't open."))))
        return false
    }
}

// MARK: - The file

extension Invites {
    private mutating func receiveFile(_ result: Result<[UInt8]?, InvitesError>) {
        guard record == nil else { return }
        openFailure = nil
        do throws(InvitesError) {
            guard let bytes = try result.get() else {
                return saveNewFile(InviteRecord(firstLaunch: now))
            }
            if let record = try InviteRecord.read(bytes) { return endOpening(record) }
            // The first launch isn't known anymore, so the user isn't a newcomer.
            let new = InviteRecord(firstLaunch: Timestamp(milliseconds: 0))
            opening = .keepingAside(ask { .keepAside($0, bytes) }, new)
        } catch { openFailure = error }
    }

    private mutating func saveNewFile(_ new: InviteRecord) { opening = .saving(ask { .save($0, new) }, new) }

    private mutating func continueOpening(_ number: Int, _ failure: InvitesError?) {
        let (isKept, new): (Bool, InviteRecord)
        switch opening {
        case .keepingAside(number, let record): (isKept, new) = (false, record)
        case .saving(number, let record): (isKept, new) = (true, record)
        default: return
        }
        opening = nil
        if let failure {
            openFailure = failure
        } else if isKept {
            endOpening(new)
        } else {
            saveNewFile(new)
        }
    }

    private mutating func endOpening(_ opened: InviteRecord) {
        guard record == nil else { return }
        record = opened
        loadSharedCodes()
    }

    /// Writes a change, which counts once it is on the disk.
    mutating func change(_ change: InviteRecord.Change, _ next: Next) { write(change, isRequired: true, next) }

    /// Writes a change that counts in any case.
    mutating func note(_ change: InviteRecord.Change, _ next: Next = .nothing) {
        write(change, isRequired: false, next)
    }

    private mutating func write(_ change: InviteRecord.Change, isRequired: Bool, _ next: Next) {
        // One event may make two changes. The file of the second one has both.
        guard let record, let new = recordBeingWritten?.changed(by: change) else { return }
        guard new != record || !isSaved else { return goOn(next) }
        let number = ask { .save($0, new) }
        writes[number] = Write(change: change, isRequired: isRequired, next: next)
    }

    /// The record with the changes that are being written.
    var recordBeingWritten: InviteRecord? {
        record.map { record in
            writes.sorted { $0.key < $1.key }.reduce(record) { $0.changed(by: $1.value.change) }
        }
    }

    private mutating func endWrite(_ number: Int, _ failure: InvitesError?) {
        guard let write = writes.removeValue(forKey: number) else { return }
        if let failure, write.isRequired { return goOn(write.next, failing: failure) }
        record = record?.changed(by: write.change)
        isSaved = failure == nil
        goOn(write.next)
    }

    private mutating func goOn(_ next: Next, failing failure: InvitesError? = nil) {
        switch next {
        case .nothing: break
        case .resume(let call, let answer): resume(call, answer, failing: failure)
        case .shareCodes: shareCodes()
        case .giveCode(let call, let code):
            if failure == nil { shareCodes() }
            resume(call, .code(code), failing: failure)
        case .signNew(let call, let programs):
            resume(call, .done, failing: failure)
            if failure == nil { trySigning(programs) }
        case .signNext: signNext()
        case .read(let number, let next): goOn(reading: number, next, failing: failure)
        }
    }
}

// MARK: - For the files of this folder

extension Invites {
    mutating func wait(for wait: Wait, _ seconds: TimeInterval) {
        deadlines.set(wait, after: seconds, at: moment.steady)
    }

    mutating func resume(_ call: Int, _ answer: Answer, failing failure: InvitesError? = nil) {
        perform(.resume(call: call, failure.map { .failure($0) } ?? .success(answer)))
    }
}
