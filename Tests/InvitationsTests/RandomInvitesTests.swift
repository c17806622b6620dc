import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import ReferralBasics
@testable import ReferralInvitations

/// What `handle` does with any event, in any state, in any order.
struct RandomInvitesTests {
    @Test(
        "any events in any order: nothing traps, each call is answered once, nothing that was counted or signed is lost"
    )
    func anyEvents() {
        expectNoProblems(of: randomSeeds(100, optimized: 5_000)) { seed in
            var run = RandomInvites(seed: seed)
            run.happen(count: 100)
            run.end()
            return run.problems
        }
    }

    @Test("opening, signing and reading go on as the page of invitations says")
    func tables() throws {
        var opening = StepTable(steps: ["closed", "keepingAside", "saving", "open"])
        var signing = StepTable(steps: ["idle", "saving", "asking", "waiting"])
        var reading = StepTable(steps: ["none", "saving", "askingForPage", "askingForUser"])
        for seed in randomSeeds(100, optimized: 5_000) {
            var run = RandomInvites(seed: seed)
            run.happen(count: 100, timePasses: false) { before, event, after in
                opening.record(before.openingStep, event, after.openingStep)
                signing.record(before.signingStep, event, after.signingStep)
                reading.record(before.readingStep, event, after.readingStep)
            }
        }
        for table in [opening, signing, reading] { try table.expect(on: "Invitations.md") }
    }
}

private extension Invites {
    var openingStep: String {
        if record != nil { return "open" }
        return opening.map { name(ofCase: $0) } ?? "closed"
    }

    var signingStep: String {
        if signature != nil { return "asking" }
        if isSigning { return "saving" }
        var deadlines = deadlines
        return deadlines.take(.retry, at: Timestamp(milliseconds: .infinity)) ? "waiting" : "idle"
    }

    var readingStep: String {
        guard let reading else { return "none" }
        if reading.question == nil { return "saving" }
        return reading.page == nil ? "askingForPage" : "askingForUser"
    }
}

/// Invitations to which anything happens.
struct RandomInvites {
    private var random: SeededGenerator
    private var invites: Invites
    private var moment: DeviceMoment
    private(set) var problems: [String] = []

    /// The questions that were asked and may be answered, also twice.
    private var asked: [Invites.Effect] = []
    /// What the file contains.
    private var file: [UInt8]?
    private var numbers: Set<Int> = []
    private var lastCall = 0
    private var unanswered: Set<Int> = []

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
        invites = Self.invites()
        moment = Self.moment()
    }

    static func invites() -> Invites {
        let programs = [
            InviteProgram("invite-2026", event: "first-board"), InviteProgram("spring", event: "second-board"),
        ]
        return Invites(programs: programs, ownReferrer: nil, at: moment())
    }

    static func moment() -> DeviceMoment {
        DeviceMoment(now: InvitesWorld.firstLaunch, steady: Timestamp(milliseconds: 0))
    }

    /// Lets events happen. If time passes, deadlines come with any of them, and otherwise only with their own.
    mutating func happen(
        count: Int,
        timePasses: Bool = true,
        _ visit: (Invites, Invites.Event, Invites) -> Void = { _, _, _ in }
    ) {
        for _ in 0..<count where problems.isEmpty {
            let wait: Double = [0, 0, 1, 40, 1_000, 900_000, 90_000_000].randomElement(using: &random) ?? 0
            if timePasses { moment.steady = moment.steady.advanced(by: wait / 1_000) }
            moment.now = moment.now.advanced(by: wait / 1_000)
            if chance(40) { moment.now = moment.now.advanced(by: chance(2) ? 90_000 : -90_000) }
            let event = makeEvent()
            let before = invites
            handle(event)
            // A deadline that has come goes with the next event, whichever that is.
            if before.nextWake != moment.steady { visit(before, event, invites) }
            if chance(20) { handle(event) }
        }
    }

    /// Answers every question, and lets every deadline come.
    mutating func end() {
        handle(.opened(.success(file)))
        var rounds = 0
        while problems.isEmpty, rounds < 1_000, !asked.isEmpty || !unanswered.isEmpty {
            rounds += 1
            let open = asked
            asked = []
            for question in open { if let event = lastAnswer(to: question) { handle(event) } }
            if asked.isEmpty, let wake = invites.nextWake {
                moment.steady = max(moment.steady, wake)
                moment.now = moment.now.advanced(by: 1)
                handle(.woke(wake))
            }
        }
        if !unanswered.isEmpty { problems.append("calls without an answer: \(unanswered.sorted())") }
    }

    private mutating func handle(_ event: Invites.Event) {
        let before = invites.record
        for effect in invites.handle(event, at: moment) {
            if let number = effect.number {
                if !numbers.insert(number).inserted { problems.append("\(number) was asked twice") }
                asked.append(effect)
            }
            guard case .resume(let call, _) = effect else { continue }
            if unanswered.remove(call) == nil { problems.append("call \(call) was answered twice after \(event)") }
        }
        // Others come with their own event.
        if case .woke = event, let wake = invites.nextWake, wake < moment.steady {
            problems.append("a deadline in the past after \(event)")
        }
        compare(before, invites.record, after: event)
    }

    /// What was counted stays, in its order; what is signed stays; and an entry goes only when it is signed, given up or one's own.
    private mutating func compare(_ before: InviteRecord?, _ after: InviteRecord?, after event: Invites.Event) {
        guard let before, after != before else { return }
        guard let after else { return problems.append("the record is gone after \(event)") }
        if !after.counted.starts(with: before.counted) { problems.append("counted entries changed after \(event)") }
        if Set(after.counted.map(\.id)).count != after.counted.count { problems.append("counted twice after \(event)") }
        if !Set(after.finished).isSuperset(of: before.finished) { problems.append("signed again after \(event)") }
        if !Set(after.pending.map(\.program)).isDisjoint(with: after.finished) {
            problems.append("an entry is pending and finished after \(event)")
        }
        do {
            let read = try InviteRecord.read(after.bytes())
            if read != after { problems.append("the record isn't the same when it was written and read") }
        } catch { problems.append("\(error)") }
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}

// MARK: - Random events

private extension RandomInvites {
    mutating func makeEvent() -> Invites.Event {
        if !chance(3), let question = chance(8) ? asked.randomElement(using: &random) : asked.last,
            let answer = answer(to: question)
        {
            return answer
        }
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return .started(call: call())
        case 1: return .arrived(call: call(), referrer: name())
        case 2, 3: return .reached(call: call(), event: chance(2) ? "first-board" : "second-board")
        case 4: return .codeAsked(call: call(), new: InviteCode.random())
        case 5: return .readingAsked(call: call())
        case 6: return .readingDue(call: call())
        case 7: return .settled(call: call())
        case 8: return .opened(chance(3) ? .failure(.folderInUse) : .success(chance(4) ? [0x7B] : file))
        case 9: return .sharedCodesChanged
        default: return .woke(invites.nextWake ?? moment.steady)
        }
    }

    private mutating func answer(to question: Invites.Effect) -> Invites.Event? {
        switch question {
        case .keepAside(let number, _): .keptAside(number, chance(4) ? .storage("full") : nil)
        case .save(let number, let record): save(number, record, fails: chance(4))
        case .loadSharedCodes(let number): .sharedCodes(number, chance(2) ? nil : "4F7K-9Q2M-XRKQ 7YBQ-0M3T-AE98")
        case .purchaseDate(let number): .purchaseDate(number, chance(2) ? nil : InvitesWorld.firstLaunch)
        case .sign(let number, _): .signed(number, chance(2) ? error() : nil)
        case .page(let number, _, _): .page(number, chance(4) ? .failure(error()) : .success(page()))
        case .myself(let number): .myself(number, chance(3) ? .failure(error()) : .success("_anna"))
        default: nil
        }
    }

    /// The answer at the end, when all goes well.
    private mutating func lastAnswer(to question: Invites.Effect) -> Invites.Event? {
        switch question {
        case .keepAside(let number, _): .keptAside(number, nil)
        case .save(let number, let record): save(number, record, fails: false)
        case .loadSharedCodes(let number): .sharedCodes(number, nil)
        case .purchaseDate(let number): .purchaseDate(number, nil)
        case .sign(let number, _): .signed(number, nil)
        case .page(let number, _, _): .page(number, .success(GuestbookPage([], cursor: nil)))
        case .myself(let number): .myself(number, .success("_anna"))
        default: nil
        }
    }

    private mutating func save(_ number: Int, _ record: InviteRecord, fails: Bool) -> Invites.Event {
        if fails { return .saved(number, .storage("full")) }
        file = try? record.bytes()
        return .saved(number, nil)
    }

    private mutating func page() -> GuestbookPage {
        let records = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
            let creator = "_\(Int.random(in: 0..<20, using: &random))"
            let program = chance(4) ? "unknown" : "spring"
            return GuestbookRecord(
                name: GuestbookRecord.name(creator: creator, program: program),
                creator: creator,
                program: program
            )
        }
        return GuestbookPage(
            records,
            cursor: chance(3) ? nil : "\(Int.random(in: 0..<9, using: &random))",
            isLast: chance(2)
        )
    }

    private mutating func error() -> GuestbookError {
        [.notSignedIn, .offline, .retryAfter(60), .retryAfter(.nan), .notAllowed("a test"), .failed("a test")]
            .randomElement(using: &random) ?? .offline
    }

    private mutating func call() -> Int {
        lastCall += 1
        unanswered.insert(lastCall)
        return lastCall
    }

    private mutating func name() -> String {
        ["ben", "4F7K-9Q2M-XRKQ", String(repeating: "x", count: 300)].randomElement(using: &random) ?? "ben"
    }
}

extension Invites.Effect {
    /// The number of a question.
    var number: Int? {
        switch self {
        case .keepAside(let number, _), .save(let number, _), .loadSharedCodes(let number), .purchaseDate(let number),
            .sign(let number, _), .page(let number, _, _), .myself(let number):
            number
        case .followSharedCodes, .shareCodes, .publish, .resume: nil
        }
    }
}
