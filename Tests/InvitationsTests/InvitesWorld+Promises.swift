@testable import ReferralAppSupport
@testable import ReferralInvitations

extension InvitesWorld {
    /// What the app and the guestbook have heard, and what follows from it.
    struct Promised {
        // What was answered, and so is on the disk.
        var codes: Set<String> = []
        var arrivals: [(name: String, time: Double)] = []
        var reached: Set<String> = []
        /// The referrers for whom the user signs, by program.
        var entries: [String: String] = [:]

        // Moments, in seconds, before which nothing is asked.
        var pauseEnd = -Double.infinity
        var refusalEnds: [String: Double] = [:]
        var firstRefusals: [String: Double] = [:]
        var failureEnds: [String: Double] = [:]
        var failures: [String: Int] = [:]
        var (readingEnd, answerEnd) = (-Double.infinity, -Double.infinity)
        var pages = 0

        /// An answer to a signature.
        mutating func note(_ error: GuestbookError?, on program: String, at now: Double) {
            answerEnd = -.infinity
            switch error {
            case nil: failures[program] = nil
            case .notAllowed:
                refusalEnds[program] = now + 86_400
                firstRefusals[program] = firstRefusals[program] ?? now
                (failures[program], failureEnds[program]) = (nil, nil)
            default:
                if case .retryAfter(let seconds) = error { pause(seconds, at: now) }
                failureEnds[program] = now + Backoff.seconds(after: failures[program] ?? 0)
                failures[program, default: 0] += 1
            }
        }

        mutating func pause(_ seconds: Double, at now: Double) { pauseEnd = max(pauseEnd, now + seconds) }

        mutating func forgetProcess(isUnsaved: Bool) {
            (failureEnds, failures, readingEnd, answerEnd) = ([:], [:], -.infinity, -.infinity)
            if isUnsaved { forgetPauses() }
        }

        mutating func forgetPauses() {
            (pauseEnd, readingEnd, answerEnd, refusalEnds, failureEnds) = (-.infinity, -.infinity, -.infinity, [:], [:])
        }
    }

    /// Lets the history happen; at its end all works, and everything is done.
    mutating func run() {
        for event in history.events { happen(event) }
        lastEffect = nil
        let repairs: [InviteHistory.Event] = [
            .folder(isInUse: false), .disk(isFull: false), .guestbook(.works), .latency(0),
        ]
        for event in repairs { happen(event) }
        // Answers that never come are waited for 15 minutes each, and a pause lasts a day at most.
        happen(.wait(400_000))
        judgeSignatures()
        if violations.isEmpty, !calls.isEmpty { violate("a call is never answered") }
        let last: [InviteHistory.Event] = [.crash, .start, .wait(400_000), .read, .wait(1), .settle]
        for event in last { happen(event) }
        judgeSignatures()
        judgeCounting()
        guard violations.isEmpty else { return }
        if !calls.isEmpty || !pending.isEmpty { violate("something is never answered") }
        if invites?.nextWake != nil { violate("a deadline never comes") }
        endProcess()
    }

    mutating func happen(_ event: InviteHistory.Event) {
        guard violations.isEmpty else { return }
        switch event {
        case .wait(let seconds): advance(by: seconds)
        case .suspend(let seconds): elapsed += seconds
        case .start:
            // Each launch tries at once.
            (promised.failures, promised.failureEnds) = ([:], [:])
            if callReading(event, .started) { hasStarted = true }
        case .arrive(let name): arrive(name)
        case .reach(let name): reach(name)
        case .askForCode:
            let code = Self.codes[promised.codes.count % 4]
            loadSharedCodes()
            guard call(.codeAsked(new: code)), let code = invites?.codes.first else { break }
            // That of the other device is in the cloud.
            if code != Self.codes[9] { promised.codes.insert(code.text) }
        case .read: if callReading(event, .readingAsked(ifDue: false)) { wait { $0.reading == nil } }
        case .readIfDue: if callReading(event, .readingAsked(ifDue: true)) { wait { $0.reading == nil } }
        case .settle: wait(until: \.isSettled)
        case .crash: endProcess()
        case .damage:
            endProcess()
            guard disk != nil else { return }
            (isDamaged, disk, published) = (true, nil, [])
            promised = Promised()
        case .update:
            endProcess()
            programs = Self.programs
            beginProcess()
        case .guestbook(let manner): self.manner = manner
        case .latency(let seconds): latency = seconds
        case .disk(let isFull): isDiskFull = isFull
        case .folder(let isInUse): isFolderInUse = isInUse
        case .sign(let creator, let program):
            let record = Self.records[creator][program == "spring" ? 1 : 0]
            guard let name = (disk?.codes.first ?? history.ownReferrer),
                !book.contains(where: { $0.record.name == record.name })
            else { return }
            book.append((name, record))
        case .otherDevice:
            guard history.sharesCodes else { return }
            // It may not have seen what this device has shared.
            sharedCodes = Self.codes[9].text
        case .setClock(let seconds):
            clockOffset += seconds
            promised.forgetPauses()
        }
        if case .suspend = event { return }
        advance()
    }

    // MARK: Calls

    /// A reading that nobody asks for begins 15 minutes after the last one, or later.
    private mutating func callReading(_ event: InviteHistory.Event, _ call: Invites.Event) -> Bool {
        let (pages, process) = (promised.pages, processNumber)
        let isDone = self.call(call)
        guard promised.pages > pages, processNumber == process else { return isDone }
        if event != .read, isBefore(promised.readingEnd) { violate("a reading within 15 minutes after another one") }
        promised.readingEnd = now + 900
        return isDone
    }

    private mutating func arrive(_ name: String) {
        guard call(.arrived(referrer: name)) else { return }
        let counts = invites?.accepted(name) != nil
        if counts, name == Self.longName || name == history.ownReferrer { violate("\(name) counts") }
        let time = disk.map { abs(moment.now.milliseconds - $0.firstLaunch.milliseconds) / 1_000 } ?? .infinity
        let isOwn = name == history.ownReferrer || (disk?.codes ?? []).contains(name) || name == Self.codes[9].text
        if counts, time > 700_000 { violate("\(name) counts after more than a week") }
        let isNewcomer = time < 600_000 && now + (history.daysSincePurchase ?? 0) * 86_400 < 600_000
        if !counts, isNewcomer, !isOwn, name != Self.longName { violate("\(name) doesn't count") }
        guard counts else { return }
        promised.arrivals.removeAll { $0.name == name }
        promised.arrivals.append((name, now))
    }

    private mutating func reach(_ event: String) {
        let programs = programs.filter { $0.event == event }.map(\.name)
        // It may have been written before the app could hear of it.
        let isKnown = disk?.reached.contains(event) ?? false
        guard call(.reached(event: event)) else { return }
        promised.reached.insert(event)
        guard !isKnown, let (referrer, time) = promised.arrivals.last else { return }
        // It may turn out that the user isn't a newcomer, or is the referrer.
        let mayHaveBought = history.daysSincePurchase.map { time + $0 * 86_400 > 600_000 } ?? false
        guard !mayHaveBought, referrer != Self.codes[9].text else { return }
        for program in programs { promised.entries[program] = referrer }
    }

    // MARK: Requests

    private func isBefore(_ end: Double?) -> Bool { end.map { now + 0.01 < $0 } ?? false }

    mutating func judgeRequest() {
        if isBefore(promised.pauseEnd) { violate("a request in the pause that the guestbook asked for") }
    }

    mutating func judgeSigning(_ entry: GuestbookEntry) {
        judgeRequest()
        if isBefore(promised.answerEnd) { violate("signed again before the answer") }
        promised.answerEnd = now + 900
        if isBefore(promised.refusalEnds[entry.program]) { violate("signed again within a day after a refusal") }
        if isBefore(promised.failureEnds[entry.program]) { violate("signed again too early after a failure") }
        guard let disk, let pending = disk.pending.first(where: { $0.entry == entry }) else {
            return violate("signed before it is on the disk, or after it was signed")
        }
        let week = disk.purchased.map { seconds(at: pending.arrival.time) - seconds(at: $0) <= 604_800 } ?? true
        if !week { violate("signed by somebody who had the app before") }
        if disk.finished.contains(entry.program) { violate("signed again") }
        let isOwn = disk.codes.contains(entry.referrer) || entry.referrer == history.ownReferrer
        if isOwn { violate("signed for oneself") }
        if promised.entries[entry.program] ?? entry.referrer != entry.referrer { violate("another referrer") }
    }

    mutating func judge(_ entries: [InvitationEntry]) {
        if !entries.starts(with: published) { violate("counted entries are gone") }
        if Set(entries.map(\.id)).count != entries.count { violate("an invitation counts twice") }
        let signed = Set(book.map(\.record.name))
        if !entries.allSatisfy({ signed.contains($0.id) }) { violate("an invitation counts that nobody has signed") }
        published = entries
    }

    // MARK: What lasts

    /// What was answered is on the disk.
    mutating func judgeDisk(amidEffects: Bool) {
        let isNothing =
            promised.codes.isEmpty && promised.arrivals.isEmpty && promised.reached.isEmpty && promised.entries.isEmpty
        guard let record = disk else { return isNothing ? () : violate("the file is lost") }
        if !promised.codes.isSubset(of: record.codes) { violate("a code is lost") }
        let arrivals = record.arrivals.map(\.referrer)
        if !promised.arrivals.allSatisfy({ arrivals.contains($0.name) }) { violate("an arrival is lost") }
        if !promised.reached.isSubset(of: record.reached) { violate("an event is lost") }
        let entries = Set(record.finished + record.pending.map(\.program))
        if !entries.isSuperset(of: promised.entries.keys) { violate("an entry is lost") }
        if Set(record.counted.map(\.id)).count != record.counted.count { violate("counted twice on the disk") }
        if !hasUnsaved, !amidEffects, invites?.record ?? disk != disk { violate("the disk has other contents") }
    }

    /// Everything that was to be signed is in the guestbook, if the app has started.
    mutating func judgeSignatures() {
        guard hasStarted, violations.isEmpty else { return }
        for (program, referrer) in promised.entries where signed[program] == nil {
            // After 30 days of refusals, an entry is given up. The clock may have been set.
            if let first = promised.firstRefusals[program], now > first + 2_000_000 { continue }
            violate("\(referrer) is never thanked in \(program)")
        }
    }

    /// Each record of somebody else counts, and none of the user's own.
    mutating func judgeCounting() {
        guard violations.isEmpty, let record = disk else { return }
        let names = record.codes + [history.ownReferrer].compactMap(\.self)
        let mayOwnCount = history.events.contains(.guestbook(.isSignedOut))
        for (name, entry) in book where programs.contains(where: { $0.name == entry.program }) && names.contains(name) {
            let isOwn = entry.creator == "_0"
            let isCounted = record.counted.contains { $0.id == entry.name }
            if isOwn, isCounted, !mayOwnCount { violate("one's own invitation counts") }
            if !isOwn, !isCounted { violate("an invitation isn't counted") }
        }
        let shared = (sharedCodes ?? "").split(separator: " ").map(String.init)
        if history.sharesCodes, !Set(record.codes).isSubset(of: shared) { violate("a code isn't shared") }
    }
}
