import SimulatedRuntime

@testable import ReferralBasics
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

extension InviteHistory: CustomStringConvertible {
    /// Swift that makes the same history again.
    var description: String {
        let events = events.map { "    .\($0),\n" }.joined()
        let name = ownReferrer.map { "\"\($0)\"" } ?? "nil"
        let (days, effect) = (daysSincePurchase.map { "\($0)" } ?? "nil", lastEffect.map { "\($0)" } ?? "nil")
        return "InviteHistory(events: [\n\(events)], ownReferrer: \(name), daysSincePurchase: \(days), "
            + "sharesCodes: \(sharesCodes), answersTwice: \(answersTwice), lastEffect: \(effect))"
    }
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

    /// A shorter history on which the same holds.
    func shrunk(_ fails: (InviteHistory) -> Bool) -> InviteHistory {
        var shortest = self
        var isShorter = true
        while isShorter {
            isShorter = false
            for index in shortest.events.indices.reversed() {
                var candidate = shortest
                candidate.events.remove(at: index)
                if fails(candidate) { (shortest, isShorter) = (candidate, true) }
            }
        }
        return shortest
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
        case works, offline, asksForPause, refuses, isSignedOut, silent
        /// It signs, and its answer is lost.
        case losesAnswers
        /// It begins with the first record each time, and has each record twice.
        case answersTwice
    }

    enum Step {
        case signed(Int, GuestbookError?, program: String, began: Double)
        case page(Int, Result<GuestbookPage, GuestbookError>, began: Double)
        case myself(Int, Result<String, GuestbookError>)
        case purchaseDate(Int)
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
    var (isDamaged, isKeptAside, isDiskFull, isFolderInUse) = (false, false, false, false)
    var sharedCodes: String?
    /// The records for names of the user, in order.
    var book: [(name: String, record: GuestbookRecord)] = []
    /// The referrers for whom the user has signed, by program.
    var signed: [String: String] = [:]
    var (manner, latency) = (Manner.works, 0.0)

    // The app.
    var programs = [InvitesWorld.programs[0]]
    var invites: Invites
    var effects: [Invites.Effect] = []
    var performed = 0
    var lastEffect: Int?
    var pending: [(due: Double, step: Step)] = []
    var calls: [(call: Int, event: InviteHistory.Event, began: Double)] = []
    var lastCall = 0
    var processNumber = 0
    var lastAnswer: (call: Int, result: Result<Invites.Answer, InvitesError>)?
    var (hasUnsaved, hasStarted) = (false, false)
    var published: [InvitationEntry] = []

    var promised = Promised()
    private(set) var violations: [String] = []

    init(_ history: InviteHistory) {
        self.history = history
        lastEffect = history.lastEffect
        let moment = DeviceMoment(now: Self.firstLaunch, steady: Timestamp(milliseconds: 0))
        invites = Invites(programs: programs, ownReferrer: history.ownReferrer, at: moment)
    }

    /// How many invitations count for the user.
    var count: Int { disk?.counted.count ?? 0 }

    mutating func violate(_ text: String) { violations.append(text) }

    mutating func beginProcess() {
        invites = Invites(programs: programs, ownReferrer: history.ownReferrer, at: moment)
        (effects, pending, calls, lastCall, published) = ([], [], [], 0, [])
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
            let wake = invites.nextWake
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
        // Only a call that waits until nothing is under way may take longer.
        if calls.contains(where: { $0.event != .settle && elapsed > $0.began + 900 }) {
            violate("a call took longer than 15 minutes")
        }
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .signed(let number, let error, let program, let began):
            promised.note(error, on: program, at: now, isLate: elapsed >= began + 900)
            answer(number, .signed(number, error))
        case .page(let number, let result, let began):
            // A reading that has ended doesn't hear of a pause.
            if case .failure(.retryAfter(let seconds)) = result, elapsed == began { promised.pause(seconds, at: now) }
            answer(number, .page(number, result))
        case .myself(let number, let result): answer(number, .myself(number, result))
        case .purchaseDate(let number):
            let date = history.daysSincePurchase.map { Self.firstLaunch.advanced(by: -$0 * 86_400) }
            answer(number, .purchaseDate(number, date))
        }
    }
}

// MARK: - The core

extension InvitesWorld {
    mutating func send(_ event: Invites.Event) {
        effects += invites.handle(event, at: moment)
        while !effects.isEmpty {
            perform(effects.removeFirst())
            performed += 1
            if performed == lastEffect { endProcess(amidEffects: true) }
        }
    }

    /// Sends an answer, perhaps twice. In between the app may have ended.
    private mutating func answer(_ number: Int, _ event: Invites.Event) {
        send(event)
        if history.answersTwice, number.isMultiple(of: 3), performed != lastEffect { send(event) }
    }

    /// Opens the file if it isn't open, and calls.
    @discardableResult
    mutating func call(
        _ event: InviteHistory.Event,
        _ makeEvent: (Int) -> Invites.Event
    ) -> Result<Invites.Answer, InvitesError>? {
        if invites.record == nil { open() }
        lastCall += 1
        let call = lastCall
        calls.append((call, event, elapsed))
        lastAnswer = nil
        send(makeEvent(call))
        return lastAnswer?.call == call ? lastAnswer?.result : nil
    }

    private mutating func open() {
        if isFolderInUse { return send(.opened(.failure(.folderInUse))) }
        do {
            let bytes = try isDamaged ? [0x7B] : disk?.bytes()
            if !isDamaged, let bytes, try InviteRecord.read(bytes) != disk { violate("the file has other contents") }
            send(.opened(.success(bytes)))
        } catch { violate("\(error)") }
    }

    private mutating func perform(_ effect: Invites.Effect) {
        switch effect {
        case .keepAside(let number, _):
            isKeptAside = !isDiskFull
            send(.keptAside(number, isDiskFull ? .storage("full") : nil))
        case .save(let number, let record):
            hasUnsaved = isDiskFull
            if isDamaged, !isKeptAside { violate("a damaged file isn't kept") }
            if !isDiskFull { (disk, isDamaged) = (record, false) }
            send(.saved(number, isDiskFull ? .storage("full") : nil))
        case .loadSharedCodes(let number): if history.sharesCodes { send(.sharedCodes(number, sharedCodes)) }
        case .shareCodes(let text): sharedCodes = text
        case .followSharedCodes: hasStarted = true
        case .purchaseDate(let number): pending.append((elapsed + latency, .purchaseDate(number)))
        case .sign(let number, let entry):
            judgeSigning(entry)
            if [.works, .losesAnswers, .answersTwice].contains(manner) {
                signed[entry.program] = signed[entry.program] ?? entry.referrer
            }
            wait(for: .signed(number, error, program: entry.program, began: elapsed))
        case .page(let number, let name, let cursor):
            judgeRequest()
            promised.pages += 1
            wait(for: .page(number, result(page(name, cursor)), began: elapsed))
        case .myself(let number):
            judgeRequest()
            wait(for: .myself(number, result("_0")))
        case .publish(let entries): judge(entries)
        case .resume(let call, let result):
            guard let index = calls.firstIndex(where: { $0.call == call }) else {
                return violate("call \(call) was answered twice")
            }
            calls.remove(at: index)
            lastAnswer = (call, result)
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
        case .refuses: .notAllowed("a test")
        case .isSignedOut: .notSignedIn
        }
    }

    private func result<Value>(_ value: Value) -> Result<Value, GuestbookError> {
        error.map { .failure($0) } ?? .success(value)
    }

    private func page(_ name: String, _ cursor: String?) -> GuestbookPage {
        let records = book.filter { $0.name == name }.map(\.record)
        if manner == .answersTwice { return GuestbookPage(records + records, cursor: nil) }
        let start = min(cursor.flatMap { Int($0) } ?? 0, records.count)
        let end = min(start + 2, records.count)
        return GuestbookPage(Array(records[start..<end]), cursor: "\(end)", isLast: end == records.count)
    }
}
