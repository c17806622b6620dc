@testable import ReferralBasics
@testable import ReferralBridge

/// What users are promised.
extension LaunchWorld {
    // MARK: What was told

    /// The app is told of an arrival.
    mutating func receive(_ arrival: Arrival) {
        let tap = Tap(referrer: arrival.referrer, timestamp: arrival.timestamp)
        if app.isHolding, !app.isReleasing { violate("\(tap.referrer) was reported before the app is ready") }
        let prefixes =
            switch arrival.road {
            case .pasteboard: ["tap"]
            case .pasteButton: ["tap", "copied"]
            case .opened: ["opened"]
            default: ["clip"]
            }
        if held == tap {
            // It counted as reported when it was held.
            held = nil
        } else {
            if !prefixes.contains(where: tap.referrer.hasPrefix) { violate("\(tap.referrer) came by \(arrival.road)") }
            if arrival.road == .opened, arrival.destination == nil { violate("\(tap.referrer) leads nowhere") }
            addReport(of: tap, on: arrival.road)
        }
    }

    /// Takes note of an outcome that the app hears.
    mutating func note(_ outcome: AppStoreBridge.Outcome) {
        if let arrival = outcome.arrival, arrival.road == .appClip {
            app.hasClipReferral = true
            clipReferral = max(clipReferral ?? arrival.timestamp, arrival.timestamp)
        }
        guard case .held(let arrival) = outcome else { return }
        let tap = Tap(referrer: arrival.referrer, timestamp: arrival.timestamp)
        if !app.isHolding { violate("\(tap.referrer) was held although the app is ready") }
        addReport(of: tap, on: arrival.road)
        // The newest one is kept.
        if held.map({ $0.timestamp < tap.timestamp }) ?? true { held = tap }
    }

    private mutating func addReport(of tap: Tap, on road: Road) {
        let isKnown = reports.contains { $0.tap == tap && !$0.isForgotten }
        if isKnown { violate("\(tap.referrer) was reported twice") }
        // The launch judges by the moment of the visit, even if the clock was set since.
        reports.append(Report(tap: tap, road: road, moment: max(now, app.visit.moment)))
    }

    /// Whether a tap was reported, or counts as reported: one of the same moment was, or a newer one when its time had come.
    func isReported(_ tap: Tap) -> Bool {
        reports.contains { report in
            let other = report.tap.timestamp
            return other == tap.timestamp || other > tap.timestamp && other <= report.moment
        }
    }

    /// Whether a tap is within its window.
    func isCounted(_ tap: Tap, at moment: Timestamp) -> Bool {
        let age = moment.milliseconds - tap.timestamp.milliseconds
        return age < 300_000 && age >= -30_000
    }

    // MARK: What was asked

    /// One access at a time, but for a probe that is asked again.
    mutating func judgeAccess() {
        let isAlone = pending.allSatisfy { _, step in
            switch step {
            case .changeCount, .contents, .question, .strings: false
            case .probe: isGivenUp(step)
            default: true
            }
        }
        if !isAlone { violate("two accesses to the pasteboard at once") }
    }

    /// When a check begins to look at the pasteboard. The first launch may end while it goes on.
    mutating func judgeLook() {
        let wasReported = reports.contains { !$0.isForgotten && [.pasteboard, .appClip].contains($0.road) }
        let isOver = isFirstLaunchOver || wasReported || ledger.isFirstLaunchOver
        if history.policy == .firstLaunch, isOver { violate("a look at the pasteboard after the first launch") }
    }

    /// At the beginning of a read.
    mutating func judgeRead() {
        if app.state != .active { violate("a read while the app isn't active") }
        if !app.probeSaidYes { violate("a read without a probe that said yes") }
        if app.hasClipReferral { violate("the App Clip brought a referral, and the person is asked") }
        if owedClipTap != nil, !app.hasClipFailed { violate("a read before the App Clip's file was read") }
    }

    /// At the system's question.
    mutating func judgeQuestion(_ read: Read) {
        let answered = contents[read.content].answered
        if answered.epoch == epoch, answered.count > 1 { violate("asked a third time about one content") }
        if let last = app.lastQuestion, last.content == read.content, last.activation == read.activation {
            violate("asked twice at one activation")
        }
    }

    /// When the app gets the strings, which it does once, and later only if it ended before it could finish.
    mutating func judgeStrings(of read: Read) {
        let content = contents[read.content]
        let isReported = reports.contains { $0.tap == content.tap && $0.road == .pasteboard }
        let isFinished = isReported || content.tap == nil
        if let last = content.read, last.epoch == epoch, last.process == app.number || isFinished {
            violate("a content was read twice")
        }
        contents[read.content].read = (epoch, app.number)
        mayFirstLaunchBeOver = true
        if let tap = content.tap, tap.timestamp > now.advanced(by: 330) { contents[read.content].isHopeless = true }
    }

    // MARK: The App Clip

    /// The App Clip's referral, if a report of it is owed: nobody has set the clock since, and it wasn't reported.
    var owedClipTap: Tap? {
        guard let clip, let tap = clip.tap, clip.clockOffset == clockOffset else { return nil }
        return reports.contains { $0.tap == tap && !$0.isForgotten } ? nil : tap
    }

    /// Before the App Clip's file is removed.
    mutating func judgeRemoval() {
        guard let tap = clip?.tap, clip?.clockOffset == clockOffset, !app.visit.isVoid else { return }
        if !isInLedger(tap) { violate("the App Clip's file is gone before its report is in the ledger") }
    }

    // MARK: The end of a visit and of a process

    mutating func beginVisit(isVoid: Bool) {
        let number = app.visit.number + 1
        app.visit = Visit(
            number: number,
            content: contents.count - 1,
            moment: now,
            isVoid: isVoid || isLocked || !hasListener,
            isDiskFull: isDiskFull,
            // A check under way may end the first launch by what it reads.
            isFirstLaunchOver: mayFirstLaunchBeOver || app.isReading || !pending.isEmpty
        )
    }

    mutating func put(_ content: Content) {
        contents.append(content)
        changeCount += 1
        app.visit.isReplaced = true
    }

    func isInLedger(_ tap: Tap) -> Bool { ledger.reported.recent.contains(tap.timestamp) }

    /// At the end of a visit: nothing waits, and what was on the clipboard when the app came to the front, within the window, and
    /// what the App Clip brought, has reached the app.
    mutating func judgeVisit() {
        guard isRunning, app.state == .active, app.hasChecked, !app.visit.isVoid, !app.isQuestionOpen,
            app.launch.nextWake == nil, pending.allSatisfy({ isGivenUp($0.step) })
        else { return }
        judgeLedger()
        // What couldn't be written may be undone meanwhile, so that there is nothing to write.
        if app.hasUnsaved, !app.launch.ledger.isSaved, !app.visit.isDiskFull { violate("a change is never written") }
        if !app.hasClipFailed, let tap = owedClipTap { violate("the App Clip's \(tap.referrer) was lost") }
        if !app.isHolding, let held { violate("\(held.referrer) is held although the app is ready") }

        let visit = app.visit
        let content = contents[visit.content]
        guard let tap = content.tap, isCounted(tap, at: visit.moment), !isReported(tap) else { return }
        if visit.isReplaced || content.isHopeless || content.emptyReads > 1 || app.hasClipReferral { return }
        if let clipReferral, clipReferral >= tap.timestamp { return }
        if visit.probes.asked > 0, visit.probes.answered == 0 { return }
        switch history.policy {
        case .everyone: break
        case .firstLaunch: if visit.isFirstLaunchOver { return }
        }
        violate("\(tap.referrer) was lost")
    }

    /// Unless the disk was full, the ledger has each report, and what is held.
    mutating func judgeLedger() {
        guard !app.hasUnsaved, !isLocked else { return }
        if let report = reports.first(where: { !$0.isForgotten && !isInLedger($0.tap) }) {
            violate("\(report.tap.referrer) isn't in the ledger")
        }
        if heldInLedger != held {
            violate("the ledger holds \(heldInLedger?.referrer ?? "nothing") instead of \(held?.referrer ?? "nothing")")
        }
    }

    private var heldInLedger: Tap? {
        ledger.heldArrival.map { Tap(referrer: $0.referrer, timestamp: $0.timestamp) }
    }

    /// The process is gone, and what it didn't write.
    mutating func endProcess(amidEffects: Bool = false) {
        guard isRunning else { return }
        if !amidEffects {
            judgeVisit()
            judgeLedger()
        }
        isRunning = false
        (effects, pending) = ([], [])
        app.state = .background
        guard app.hasUnsaved || amidEffects else { return }
        for index in reports.indices where !isInLedger(reports[index].tap) { reports[index].isForgotten = true }
        (held, isFirstLaunchOver) = (heldInLedger, ledger.isFirstLaunchOver)
        // It was written before the app could hear of it.
        if let held, let road = ledger.heldArrival?.road, !reports.contains(where: { $0.tap == held }) {
            addReport(of: held, on: road)
        }
        epoch += 1
    }
}
