import SimulatedRuntime
import TestSupport

@testable import ReferralAppSupport
@testable import ReferralInvitations

/// What happens to a user's invitations, one event after the other.
struct InviteHistory: Hashable {
    enum Event: Hashable {
        /// Time passes, in seconds.
        case wait(Double)
        /// Time passes, and nothing of the app runs.
        case suspend(Double)
        case start
        case arrive(String)
        case reach(String)
        case askForCode
        case read
        case readIfDue
        case settle
        case crash
        /// The app ends, and something destroys its file.
        case damage
        /// The app ends, and a version with another program comes.
        case update
        case guestbook(InvitesWorld.Manner)
        /// How long each answer takes, in seconds.
        case latency(Double)
        case disk(isFull: Bool)
        case folder(isInUse: Bool)
        /// Somebody signs for a name of the user.
        case sign(by: Int, program: String)
        case otherDevice
        case setClock(Double)
    }

    var events: [Event]
    var ownReferrer: String?
    /// How many days before the first launch the user got the app; `nil` if the store doesn't say it.
    var daysSincePurchase: Double?
    var sharesCodes: Bool
    /// Whether every third answer comes twice.
    var answersTwice: Bool
    /// The number of the effect at which the process ends; `nil` if it ends only between two events.
    var lastEffect: Int?
}

// MARK: - At random

extension InviteHistory {
    init(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        ownReferrer = Bool.random(using: &random) ? "anna" : nil
        daysSincePurchase = [nil, 0, 0, 30].randomElement(using: &random) ?? nil
        (sharesCodes, answersTwice) = (Bool.random(using: &random), Bool.random(using: &random))
        lastEffect = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...30, using: &random) : nil
        // Most begin as they should.
        events = Bool.random(using: &random) ? [.start, .arrive("ben"), .reach("first-board"), .askForCode] : []
        for _ in 0..<Int.random(in: 1...14, using: &random) { events.append(.random(&random)) }
    }
}

private extension InviteHistory.Event {
    static func random(_ random: inout SeededGenerator) -> Self {
        let program = Bool.random(using: &random) ? "invite-2026" : "spring"
        switch Int.random(in: 0..<64, using: &random) {
        case ..<8: return .wait([0.001, 1, 40, 1_000, 90_000, 700_000].randomElement(using: &random) ?? 1)
        case ..<12: return .suspend([1, 40, 1_000, 90_000, 2_700_000].randomElement(using: &random) ?? 1)
        case ..<18: return .start
        case ..<22:
            let names = ["ben", "anna", InvitesWorld.codes[8].text, InvitesWorld.codes[9].text, InvitesWorld.longName]
            return .arrive(names.randomElement(using: &random) ?? "ben")
        case ..<28: return .reach(Bool.random(using: &random) ? "first-board" : "second-board")
        case ..<31: return .askForCode
        case ..<34: return .read
        case ..<36: return .readIfDue
        case ..<37: return .settle
        case ..<40: return .crash
        case ..<41: return .damage
        case ..<42: return .update
        case ..<48: return .guestbook(InvitesWorld.Manner.allCases.randomElement(using: &random) ?? .works)
        case ..<51: return .latency([0, 0.04, 600, 1_000].randomElement(using: &random) ?? 0)
        case ..<54: return .disk(isFull: Bool.random(using: &random))
        case ..<55: return .folder(isInUse: Bool.random(using: &random))
        case ..<61: return .sign(by: Int.random(in: 0..<8, using: &random), program: program)
        case ..<63: return .otherDevice
        default: return .setClock([-90, 90, -90_000, 90_000].randomElement(using: &random) ?? 90)
        }
    }
}

/// A phone and a guestbook around ``Invites`` alone. Events are handled, and effects performed, in one order, at once or at a moment.
///
/// What a promise is owed is worked out from outside: nothing here looks into the state, but for the record, which the app sees.
struct InvitesWorld {
    /// How the guestbook answers.
    enum Manner: Hashable, CaseIterable {
        case works, offline, asksForPause, asksForNoPause, refuses, isSignedOut, silent
        /// It signs, and its answer is lost.
        case losesAnswers
        /// It begins with the first record each time, and has each record twice.
        case answersTwice
    }

    enum Step {
        case signed(Int, GuestbookError?, program: String)
        case page(Int, Result<GuestbookPage, GuestbookError>)
        case purchaseDate
    }

    /// Which steps followed others.
    struct Tables {
        var signing = StepTable(steps: ["idle", "asking", "waiting"])
        var reading = StepTable(steps: ["none", "asking"])

        mutating func record(_ before: Invites, _ event: Invites.Event, _ after: Invites) {
            // A deadline that has come goes with the next event, whichever that is.
            if case .woke = event {} else if let wake = before.nextWake, wake <= after.moment.steady { return }
            signing.record(before.signingStep, event, after.signingStep)
            reading.record(before.readingStep, event, after.readingStep)
        }
    }

    static let firstLaunch = Timestamp(milliseconds: 1_795_219_200_000)
    static let codes = {
        var random = SeededGenerator(state: 1)
        return (0..<10).map { _ in InviteCode.random(using: &random) }
    }()
    static let longName = String(repeating: "x", count: 300)
    static let programs = [
        InviteProgram("invite-2026", event: "first-board"), InviteProgram("spring", event: "second-board"),
    ]
    /// The user is the first.
    static let records = (0..<8).map { creator in
        programs.map { program in
            let name = GuestbookRecord.name(creator: "_\(creator)", program: program.name)
            return GuestbookRecord(name: name, creator: "_\(creator)", program: program.name)
        }
    }

    let history: InviteHistory

    // Time, in seconds.
    var (elapsed, clockOffset) = (0.0, 0.0)
    var moment: DeviceMoment {
        let now = Self.firstLaunch.advanced(by: elapsed + clockOffset)
        return DeviceMoment(now: now, steady: Timestamp(milliseconds: elapsed * 1_000))
    }
    var now: Double { elapsed + clockOffset }

    func seconds(at moment: Timestamp) -> Double {
        (moment.milliseconds - Self.firstLaunch.milliseconds) / 1_000
    }

    // Outside.
    var disk: InviteRecord?
    var (isDamaged, isDiskFull, isFolderInUse) = (false, false, false)
    var sharedCodes: String?
    /// The records for names of the user, in order.
    var book: [(name: String, record: GuestbookRecord)] = []
    /// The referrers for whom the user has signed, by program.
    var signed: [String: String] = [:]
    var (manner, latency) = (Manner.works, 0.0)

    // The app.
    var programs = [InvitesWorld.programs[0]]
    /// `nil` until the file is open.
    var invites: Invites?
    var performed = 0
    var lastEffect: Int?
    var pending: [(due: Double, step: Step)] = []
    /// The calls that wait until something is true of the state, and their beginnings.
    var calls: [(until: (Invites) -> Bool, began: Double)] = []
    var processNumber = 0
    var (hasUnsaved, hasStarted) = (false, false)
    var published: [InvitationEntry] = []

    var promised = Promised()
    private(set) var violations: [String] = []
    private(set) var tables: Tables

    init(_ history: InviteHistory, _ tables: Tables) {
        self.history = history
        self.tables = tables
        lastEffect = history.lastEffect
    }

    /// How many invitations count for the user.
    var count: Int { disk?.counted.count ?? 0 }

    mutating func violate(_ text: String) { violations.append(text) }

    mutating func beginProcess() {
        (invites, pending, calls) = (nil, [], [])
        (hasUnsaved, hasStarted) = (false, false)
        processNumber += 1
    }

    /// The app ends, perhaps before it has done all that it was about to do.
    mutating func endProcess(amidEffects: Bool = false) {
        judgeDisk(amidEffects: amidEffects)
        promised.forgetProcess(isUnsaved: hasUnsaved || amidEffects)
        // It was written before the app could hear of it.
        if amidEffects { promised.arrivals = disk?.arrivals.map { ($0.referrer, seconds(at: $0.time)) } ?? [] }
        beginProcess()
    }
}

// MARK: - Time

extension InvitesWorld {
    /// Lets time pass, from one answer or deadline to the next.
    mutating func advance(by seconds: Double = 0) {
        let end = elapsed + seconds
        var steps = 0
        while violations.isEmpty {
            let wake = invites?.nextWake
            let deadline = wake.map { $0.milliseconds / 1_000 } ?? .infinity
            let next = pending.indices.min { pending[$0].due < pending[$1].due }
            if let next, pending[next].due <= min(end, deadline) {
                elapsed = max(elapsed, pending[next].due)
                take(pending.remove(at: next).step)
            } else if let wake, deadline <= end {
                elapsed = max(elapsed, deadline)
                send(.woke(wake))
            } else {
                break
            }
            steps += 1
            if steps > 5_000 { violate("the deadlines never end") }
        }
        elapsed = end
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .signed(let number, let error, let program):
            if invites?.signing?.number == number { promised.note(error, on: program, at: now) }
            answer(number, .signed(number, error.map { .failure($0) } ?? .success(.signed)))
        case .page(let number, let result):
            // A reading that has ended doesn't hear of a pause.
            if case .failure(.retryAfter(let seconds)) = result, invites?.reading?.question == number {
                promised.pause(seconds, at: now)
            }
            answer(number, .page(number, result))
        case .purchaseDate:
            let date = history.daysSincePurchase.map { Self.firstLaunch.advanced(by: -$0 * 86_400) }
            send(.purchaseDate(date))
        }
    }
}

// MARK: - The core

extension InvitesWorld {
    /// Sends an event, and performs its effects.
    ///
    /// - Returns: The reason why nothing has changed; `nil` if there is none.
    @discardableResult
    mutating func send(_ event: Invites.Event) -> InvitesError? {
        guard var state = invites else { return nil }
        let (before, isFull) = (state, isDiskFull)
        var (saved, isUnsaved) = (InviteRecord?.none, hasUnsaved)
        let effects: [Invites.Effect]
        do throws(InvitesError) {
            effects = try state.handle(event, at: moment) { record throws(InvitesError) in
                isUnsaved = true
                if isFull { throw .storage("full") }
                (saved, isUnsaved) = (record, false)
            }
        } catch { return error }
        (invites, hasUnsaved) = (state, isUnsaved)
        tables.record(before, event, state)
        if case .woke = event, let wake = state.nextWake, wake < moment.steady { violate("a deadline in the past") }
        if let saved {
            disk = saved
            if endsHere() { return nil }
        }
        if effects.count > 1, effects.last == .purchaseDate { violate("something is done before the store is asked") }
        for effect in effects {
            perform(effect)
            if endsHere() { return nil }
        }
        if state.record.counted != before.record.counted { judge(state.record.counted) }
        calls.removeAll { $0.until(state) }
        return nil
    }

    private mutating func endsHere() -> Bool {
        performed += 1
        if performed == lastEffect { endProcess(amidEffects: true) }
        return performed == lastEffect
    }

    /// Sends an answer, perhaps twice. In between the app may have ended.
    private mutating func answer(_ number: Int, _ event: Invites.Event) {
        send(event)
        if history.answersTwice, number.isMultiple(of: 3), performed != lastEffect { send(event) }
    }

    /// Opens the file if it isn't open, and calls.
    ///
    /// - Returns: Whether the app hears that it is done.
    mutating func call(_ event: Invites.Event) -> Bool {
        let process = processNumber
        guard invites != nil || open() else { return false }
        return processNumber == process && send(event) == nil && processNumber == process
    }

    /// Waits until something is true of the state.
    mutating func wait(until isTrue: @escaping (Invites) -> Bool) {
        if let invites, !isTrue(invites) { calls.append((isTrue, elapsed)) }
    }

    private mutating func open() -> Bool {
        guard !isFolderInUse else { return false }
        let storage = Storage()
        do throws(InvitesError) {
            try disk?.save(in: storage)
            if isDamaged { storage.bytes = [0x7B] }
            (storage.isFull, storage.hasSaved) = (isDiskFull, false)
            let record = try InviteRecord.open(storage, at: moment.now)
            if isDamaged, !storage.hasKept { violate("a damaged file isn't kept") }
            if !storage.hasSaved, record != disk { violate("the file has other contents") }
            (disk, isDamaged) = (record, false)
            invites = Invites(record, programs: programs, ownReferrer: history.ownReferrer, at: moment)
        } catch { return false }
        loadSharedCodes()
        return true
    }

    mutating func loadSharedCodes() { send(.sharedCodes(history.sharesCodes ? sharedCodes : nil)) }

    private mutating func perform(_ effect: Invites.Effect) {
        switch effect {
        case .shareCodes(let text): if history.sharesCodes { sharedCodes = text }
        case .purchaseDate: pending.append((elapsed + latency, .purchaseDate))
        case .sign(let number, let entry):
            judgeSigning(entry)
            if [.works, .losesAnswers, .answersTwice].contains(manner) {
                signed[entry.program] = signed[entry.program] ?? entry.referrer
            }
            wait(for: .signed(number, error, program: entry.program))
        case .page(let number, let name, let cursor):
            judgeRequest()
            promised.pages += 1
            wait(for: .page(number, error.map { .failure($0) } ?? .success(page(name, cursor))))
        }
    }

    private mutating func wait(for step: Step) {
        pending.append((elapsed + (manner == .silent ? .infinity : latency), step))
    }

    private var error: GuestbookError? {
        switch manner {
        case .works, .answersTwice, .silent: nil
        case .offline, .losesAnswers: .offline
        case .asksForPause: .retryAfter(6_000)
        case .asksForNoPause: .retryAfter(0)
        case .refuses: .notAllowed("a test")
        case .isSignedOut: .notSignedIn
        }
    }

    private func page(_ name: String, _ cursor: String?) -> GuestbookPage {
        let records = book.filter { $0.name == name }.map(\.record)
        let isTwice = manner == .answersTwice
        let start = isTwice ? 0 : min(cursor.flatMap { Int($0) } ?? 0, records.count)
        let end = isTwice ? records.count : min(start + 2, records.count)
        let shown: [GuestbookRecord] = records[start..<end] + (isTwice ? records : [])
        var page = GuestbookPage(shown, cursor: isTwice ? nil : "\(end)", isLast: end == records.count)
        page.user = "_0"
        return page
    }
}

extension InvitesWorld {
    /// A disk on which a file is opened.
    private final class Storage: InviteStorage, @unchecked Sendable {
        var bytes: [UInt8]?
        var (isFull, hasSaved, hasKept) = (false, false, false)

        func open() throws(InvitesError) -> [UInt8]? { bytes }

        func save(_ bytes: [UInt8]) throws(InvitesError) {
            if isFull { throw .storage("full") }
            (self.bytes, hasSaved) = (bytes, true)
        }

        func keepAside(_ bytes: [UInt8]) throws(InvitesError) {
            if isFull { throw .storage("full") }
            hasKept = true
        }
    }
}

private extension Invites {
    var signingStep: String { signing != nil ? "asking" : record.pending.isEmpty ? "idle" : "waiting" }

    var readingStep: String { reading == nil ? "none" : "asking" }
}
