import ReferralFoundation

/// What a bridge knows during one launch of the app, and the only place that decides what it does next.
///
/// An event is what has happened: a call of the app, a change of its activity, or an answer from outside. ``handle(_:at:)`` changes
/// the state and returns effects: what the bridge now asks of the outside. Each effect that is answered has a number, and its
/// answer has the same number. An answer to a question that isn't open anymore changes nothing.
struct Launch: Sendable, Equatable, EventHandling {
    /// What the app has set.
    struct Settings: Sendable, Equatable {
        var policy = AttributionPolicy.firstLaunch
        var checksAtActivation = true
        var timeLimit: TimeInterval = 3
        var holdsArrivals = false
        var hasClip = false
    }

    var settings = Settings()
    let scanner: ReferralScanner

    var moment: DeviceMoment
    var foreground: ForegroundTracker
    var ledger: LaunchLedger
    /// When the calls that wait for a check are answered at the latest.
    var deadlines = Deadlines<Int>()

    /// A check that begins as soon as the app is active and no other one is under way.
    var due: DueCheck?
    var check: Check?
    /// The content that was tried, and the activation at which it was.
    var attempt: Attempt?

    /// What was read and isn't finished.
    var readings: [PasteboardReading] = []
    var judging: Judging?

    /// Whether the App Clip has brought a referral to this launch.
    var clipHasReferred = false

    var openings = RecentOpenings()
    /// The referrals of which the app is just being told.
    var reports: [Int: PendingReport] = [:]
    /// The calls that wait for a check.
    var calls: [Int] = []

    /// Whether the app's activity is observed, from the first check on, so that its activations may begin others.
    var isObserving = false
    var outbox = Outbox<Effect>()

    init(scanner: ReferralScanner, activity: AppActivityState?, at moment: DeviceMoment) {
        self.scanner = scanner
        self.moment = moment
        foreground = ForegroundTracker(activity ?? .active)
        ledger = LaunchLedger(window: scanner.window)
    }

    /// The moment for the next ``Event/woke(_:)``, on the clock of the deadlines; `nil` if nothing is waited for.
    var nextWake: Timestamp? { deadlines.next }

    var now: Timestamp { moment.now }

    var record: LedgerRecord { ledger.record(at: now) }
}

// MARK: - Events and effects

extension Launch {
    enum Event: Sendable, Equatable {
        // The app. Each call is answered by an effect with its number, `resume`.
        case checkRequested(call: Int, activity: AppActivityState?)
        case pasted(call: Int, [String])
        case opened(call: Int, address: String)
        case released(call: Int)

        /// The app's activity has changed, which is observed from the first check on.
        case appBecame(AppActivityState)

        // Answers.
        case activity(Int, AppActivityState?)
        case clip(Int, Result<[UInt8]?, AppStoreBridge.Failure>)
        case clipRemoved(Int)
        case changeCount(Int, Int?)
        /// Whether there may be a link.
        case probed(Int, Result<Bool, AppStoreBridge.Failure>)
        case contents(Int, Result<PasteboardContents, AppStoreBridge.Failure>)
        case told(Int, isHeard: Bool)
        case saved(Int, AppStoreBridge.Failure?)

        /// What the ledger contains, read just before an event if ``Launch/needsLedger(for:)`` says so.
        case ledger(LaunchLedger.Reading)
        /// The deadline ``Launch/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable, Equatable {
        case observeActivity

        // Questions, each answered by an event with its number.
        case activity(Int)
        case clip(Int)
        case removeClip(Int)
        case changeCount(Int)
        case probe(Int)
        case contents(Int)

        // Answered at once. A listener that is told may call the bridge before.
        case tell(Int, Arrival)
        case save(Int, LedgerRecord)

        // Not answered.
        case report(AppStoreBridge.Outcome, Road)
        case reportLedgerFailure(AppStoreBridge.Failure)
        case resume(call: Int, AppStoreBridge.Outcome)
    }

    /// Whether the event is judged by the ledger, or writes it. Other bridges may have written it since it was read.
    func needsLedger(for event: Event) -> Bool {
        switch event {
        case .pasted, .opened, .released, .activity, .contents: true
        case .clip(_, let contents): contents != .success(nil) || !readings.isEmpty
        case .probed(_, let hasLink): !readings.isEmpty || hasLink != .success(true) && !record.isFirstLaunchOver
        // They may end a check, with which everything that was read before is judged.
        case .checkRequested, .appBecame, .changeCount, .clipRemoved: !readings.isEmpty
        case .woke, .told, .saved, .ledger: false
        }
    }

    /// Takes an event, and returns what is to be done, in this order.
    mutating func handle(_ event: Event, at moment: DeviceMoment) -> [Effect] {
        var limit = moment.steady
        if case .woke(let deadline) = event { limit = max(limit, deadline) }
        let due = deadlines.due(at: limit)
        self.moment = moment
        receive(event)
        // An answer that is there counts, even if the app was asleep when its time was up.
        for call in due where deadlines.take(call, at: limit) {
            resume(call, with: check == nil ? .waitingForActivation : .stillReading)
        }
        settleClip()
        return outbox.take()
    }

    private mutating func receive(_ event: Event) {
        switch event {
        case .checkRequested(let call, let activity): if begin(call) { requestCheck(call, activity) }
        case .pasted(let call, let strings): if begin(call) { paste(strings, call) }
        case .opened(let call, let address): if begin(call) { open(address, call) }
        case .released(let call): if begin(call) { release(call) }
        case .appBecame(let state): appDidChange(to: state)
        case .activity(let number, let state): receiveActivity(state, number)
        case .clip(let number, let contents): receiveClip(contents, number)
        case .clipRemoved(let number): if check?.step == .removingClip(number) { lookAtPasteboard() }
        case .changeCount(let number, let changeCount): receiveChangeCount(changeCount, number)
        case .probed(let number, let hasLink): receiveProbe(hasLink, number)
        case .contents(let number, let contents): receiveContents(contents, number)
        case .told(let number, let isHeard): endReport(number, isHeard: isHeard)
        case .saved(let number, let failure): reportFailure(ledger.endWrite(number, failure))
        case .ledger(let reading):
            reportFailure(ledger.receive(reading))
            // A change that couldn't be written is written as soon as the ledger can be read.
            if case .record = reading, !ledger.isSaved { save() }
        case .woke: break
        }
    }
}

// MARK: - For the files of this folder

extension Launch {
    /// Reports how a check ended.
    mutating func reportOutcome(_ outcome: AppStoreBridge.Outcome, on road: Road = .pasteboard) {
        perform(.report(outcome, road))
    }

    mutating func save() {
        let number = outbox.nextNumber()
        if let record = ledger.beginWrite(number, at: now) { perform(.save(number, record)) }
    }

    private mutating func reportFailure(_ failure: AppStoreBridge.Failure?) {
        if let failure { perform(.reportLedgerFailure(failure)) }
    }

    mutating func resume(_ call: Int, with outcome: AppStoreBridge.Outcome) {
        deadlines.cancel(call)
        calls.removeAll { $0 == call }
        perform(.resume(call: call, outcome))
    }

    /// The mark of a content of the pasteboard.
    func mark(_ changeCount: Int) -> PasteboardMark {
        PasteboardMark(changeCount: changeCount, startOfDevice: moment.startOfDevice)
    }
}
