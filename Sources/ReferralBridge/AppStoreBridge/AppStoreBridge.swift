public import ReferralFoundation

/// Looks for a referral on the pasteboard, reports it to its delegate, and remembers the reported taps.
///
/// ```swift
/// let bridge = AppStoreBridge(appID: 1300230302, pasteboard: pasteboard, ledger: ledger)
/// bridge.delegate = self
/// await bridge.checkForReferralLinks()
/// ```
///
/// A bridge reports a referral before it saves this in the ledger, so a crash in between loses nothing. Create one
/// bridge, as early as you like, and keep it while the app runs. With two bridges, the system may ask the user twice.
@MainActor
public final class AppStoreBridge {
    /// Receives each referral. The bridge holds it weakly.
    public weak var delegate: (any AppStoreBridgeDelegate)?

    /// Called with each arrival, after the delegate. Use it instead of a delegate.
    public var onArrival: (@MainActor (Arrival) -> Void)?

    /// Finds a code in a text that the user pasted, such as that of a person who invites others, if there is no link in it. The code
    /// is the referrer, and nobody has signed it, so a scanner with signers ignores it.
    ///
    /// ```swift
    /// bridge.codeReader = { text in try? InviteCode(pasting: text).text }
    /// ```
    public var codeReader: (@MainActor (_ text: String) -> String?)?

    /// Called each time a check ends, after the delegate. Use it instead of a delegate.
    public var onOutcome: (@MainActor (Outcome) -> Void)?

    /// The users whose taps count if the bridge finds them on the pasteboard.
    public var attributionPolicy = AttributionPolicy.firstLaunch {
        didSet { firstDownload = FirstDownload(attributionPolicy, clock) }
    }

    /// What must be on the pasteboard, so that the bridge reads it.
    public var pasteboardProbe: PasteboardProbe {
        get { probes.kind }
        set { probes.kind = newValue }
    }

    /// Whether the bridge, after the first ``checkForReferralLinks()``, checks again each time the app becomes active. With
    /// ``AttributionPolicy/firstLaunch``, it doesn't look at the pasteboard once the first launch has ended.
    ///
    /// A check of an unchanged pasteboard doesn't read it and doesn't prompt. Turn this off in an app that checks only
    /// in context, so that users who copy an address in another app aren't asked when they return.
    public var checksAtActivation = true

    /// Whether the bridge clears the pasteboard after it has reported a referral from it, if the pasteboard is
    /// unchanged and contains only links to the app.
    public var clearsPasteboard = false

    /// The longest time that a caller of ``checkForReferralLinks()`` waits, in seconds; 3 by default.
    ///
    /// The limit doesn't end the read: a late answer also counts. The function of
    /// ``AttributionPolicy/firstDownload(date:)`` has the same time limit. After it, the outcome is
    /// ``Outcome/storeUnavailable(_:)``.
    public var timeLimit: TimeInterval = 3

    /// Where the App Clip leaves the address that opened it. The bridge looks there before it looks at the pasteboard.
    ///
    /// If the clip has brought a referral, the bridge doesn't read the pasteboard during this launch, so nobody is asked.
    public var clipHandover: ClipHandover? {
        get { clipStorage as? ClipHandover }
        set { clipStorage = newValue }
    }

    /// Whether the bridge keeps an arrival in its ledger instead of reporting it, for an app that can't show anything yet. Set it
    /// before the first check.
    ///
    /// One arrival is kept, across launches: the one with the newest tap, except that an unsigned one doesn't replace a signed
    /// one. ``heldArrival`` shows it, and ``releaseArrivals()`` reports it. A bridge that doesn't hold arrivals reports it at its
    /// next check.
    public var holdsArrivals = false

    /// Called with each arrival, after ``onArrival``: the action of the view that checks.
    var viewAction: (@MainActor (Arrival) -> Void)?

    /// Whether the delegate has left the last arrival to the protocol's own methods, which do nothing.
    var isIgnoredByDelegate = false

    /// Counts what is reported.
    var counts: ArrivalCounts?

    let scanner: ReferralScanner
    let pasteboard: any Pasteboard
    let ledger: LedgerSession
    let clock: DeviceClock

    /// The addresses of landing pages that have just opened the app.
    private var openings = RecentOpenings()

    // For AppStoreBridge+Clip.swift
    package var clipStorage: (any ClipStorage)?
    /// Whether the App Clip has brought a referral to this launch.
    var clipHasReferred = false

    // For AppStoreBridge+Check.swift
    let activity: (any AppActivity)?
    var foreground: ForegroundTracker
    var isObserving = false
    var due: (moment: Timestamp, isQuiet: Bool)?
    var check: Task<Void, Never>?
    var attempt: (changeCount: Int, activation: Int)?
    var outcome: Pending<Outcome>
    let probes: PasteboardProbes

    // For AppStoreBridge+Judging.swift
    var unfinished: [PasteboardReading] = []
    var finishing: Task<[Outcome], Never>?
    var retries: Task<Void, Never>?
    /// `nil` unless the policy asks for it.
    var firstDownload: FirstDownload?

    /// Creates a bridge.
    ///
    /// - Parameters:
    ///   - scanner: Determines the app, and the time that a tap counts.
    ///   - pasteboard: The pasteboard to check.
    ///   - ledger: Saves the bridge's record from one launch to the next.
    ///   - activity: Reports when the app becomes active. Without an activity, the app counts as always active.
    ///   - clock: The clock that the bridge uses.
    public init(
        scanner: ReferralScanner,
        pasteboard: any Pasteboard,
        ledger: any ReferralLedger,
        activity: (any AppActivity)? = nil,
        clock: DeviceClock = .system
    ) {
        self.scanner = scanner
        self.pasteboard = pasteboard
        self.activity = activity
        self.clock = clock
        self.ledger = LedgerSession(ledger, clock: clock, window: scanner.window)
        foreground = ForegroundTracker(activity?.state ?? .active)
        outcome = Pending(clock)
        probes = PasteboardProbes(pasteboard, clock)
        probes.onLateAnswer = { [weak self] probe in self?.receive(probe) }
        self.ledger.onFailure = { [weak self] error in
            guard let self else { return }
            delegate?.appStoreBridge(self, ledgerDidFail: error)
        }
    }

    /// Creates a bridge for an app, with the standard attribution window.
    public convenience init(appID: AppID, pasteboard: any Pasteboard, ledger: any ReferralLedger) {
        self.init(scanner: ReferralScanner(appID: appID), pasteboard: pasteboard, ledger: ledger)
    }

    /// Checks the pasteboard, and reports the referral that it finds.
    ///
    /// Call it at launch, as early as you like: the check starts when the app is active. After that, the bridge checks
    /// again each time the app becomes active, unless ``checksAtActivation`` is off.
    ///
    /// The system may ask the user whether the app may paste, and the read continues until they answer. After
    /// ``timeLimit``, this method returns ``Outcome/stillReading``. The referral is reported when the answer arrives,
    /// and its tap is judged by the start time of the check. Calls during a check wait for the same check.
    ///
    /// - Returns: The result of the check, or the reason why it hasn't ended.
    @discardableResult
    public func checkForReferralLinks() async -> Outcome {
        requestCheck()
        if let outcome = await outcome.value(within: timeLimit) { return outcome }
        if finishing != nil { return .storeUnavailable(Failure(TimeLimitExceeded())) }
        return check == nil ? .waitingForActivation : .stillReading
    }

    /// Judges strings that the user pasted with any button, and reports the referral in them.
    ///
    /// A link or the address of a landing page also counts with text around it, as in an invitation from a chat: the first one that
    /// counts.
    ///
    /// - Parameter strings: The pasted texts and addresses.
    /// - Returns: ``Outcome/found(_:)``, ``Outcome/unreported(_:)``, ``Outcome/noReferral(_:)`` or, without any
    ///   strings, ``Outcome/emptyOrDenied``. While the device is locked and the ledger can't be read, it is
    ///   ``Outcome/waitingForUnlock``; call again after that.
    @discardableResult
    public func handlePaste(_ strings: [String]) -> Outcome {
        let strings = PasteboardContents(strings: strings).strings
        guard !strings.isEmpty else { return counted(.emptyOrDenied, .pasteButton) }
        guard let record = ledger.loadIfUnlocked() else { return .waitingForUnlock }
        let now = clock.now()
        let scan = scanner.scan(strings, now: now, reported: record.reported, road: .pasteButton)
        let result = scan.arrival == nil ? code(in: strings, at: now) ?? scan : scan
        return counted(report(result, at: now), .pasteButton)
    }

    /// The first code in pasted texts.
    private func code(in strings: [String], at now: Timestamp) -> ScanResult? {
        guard let codeReader, scanner.signers.isEmpty, let code = strings.lazy.compactMap(codeReader).first,
            let referral = try? Referral(referrer: code, timestamp: now)
        else { return nil }
        return ScanResult(Judgment(Arrival(referral, road: .pasteButton), .found, now: now))
    }

    /// Judges an address with which the system opened the app, such as a universal link, and reports the referral in
    /// it.
    ///
    /// The system has already decided that the address is for this app. So the scheme, the host and the app ID of an address with
    /// an item `ed` don't matter. Without the item, the address must be one of the scanner's ``ReferralScanner/landingPages``. If
    /// such an address opens the app twice within 2 seconds, it counts once.
    ///
    /// - Parameter url: The address.
    /// - Returns: ``Outcome/found(_:)``, ``Outcome/held(_:)``, ``Outcome/unreported(_:)`` or ``Outcome/noReferral(_:)``. While the device is
    ///   locked and the ledger can't be read, it is ``Outcome/waitingForUnlock``; call again after that.
    @discardableResult
    public func handle(_ url: URL) -> Outcome {
        guard let record = ledger.loadIfUnlocked() else { return .waitingForUnlock }
        let now = clock.now()
        let address = url.absoluteString
        var judgment = scanner.judge(address, on: .opened, now: now, reported: record.reported)
        let isLandingPage = judgment.arrival != nil && judgment.link == nil
        if isLandingPage, openings.contains(address, at: now) { judgment.replace(with: .alreadyReported) }
        let outcome = counted(report(ScanResult(judgment), at: now), .opened)
        if isLandingPage {
            if case .unreported = outcome { return outcome }
            openings.insert(address, at: now)
        }
        return outcome
    }
}

// MARK: - Reports

extension AppStoreBridge {
    /// Reports the referral of a scan, if there is one, or holds it.
    ///
    /// - Parameters:
    ///   - result: The scan.
    ///   - moment: When the strings were looked at.
    ///   - remember: Changes what else the ledger remembers, once the referral was reported.
    /// - Returns: What came of it.
    func report(_ result: ScanResult, at moment: Timestamp, remember: () -> Void = {}) -> Outcome {
        guard let arrival = result.arrival else { return .noReferral(result) }
        if holdsArrivals {
            ledger.insertReported(arrival.timestamp, at: moment)
            ledger.hold(arrival)
            remember()
            ledger.save()
            return .held(arrival)
        }
        // The session knows before anybody is told, since a listener may call the bridge again. The ledger learns of it after.
        let isHeard = ledger.insertingReported(arrival.timestamp, at: moment) { tell(arrival) }
        guard isHeard else { return .unreported(arrival) }
        remember()
        ledger.save()
        return .found(arrival)
    }

    /// Tells the delegate and the closures.
    ///
    /// - Returns: Whether there was anybody to tell. A delegate that implements neither method for arrivals is nobody.
    private func tell(_ arrival: Arrival) -> Bool {
        var isHeard = onArrival != nil || viewAction != nil
        if let delegate {
            isIgnoredByDelegate = false
            delegate.appStoreBridge(self, didReceive: arrival)
            if !isIgnoredByDelegate { isHeard = true }
        }
        if isHeard { counts?.record(arrival) }
        onArrival?(arrival)
        viewAction?(arrival)
        return isHeard
    }

    /// The arrival that the bridge holds; `nil` if there is none, or while the device is locked and the ledger can't be read.
    public var heldArrival: Arrival? {
        if !ledger.hasLoaded { ledger.loadIfUnlocked() }
        return ledger.record.heldArrival
    }

    /// Reports the arrival that the bridge holds, and from now on reports each arrival at once.
    ///
    /// The arrival is reported before the ledger forgets it, so a crash in between reports it again at the next release. While the
    /// device is locked, the next check reports it.
    ///
    /// - Returns: The arrival that was reported; `nil` if there is none, or nobody to tell.
    @discardableResult
    public func releaseArrivals() -> Arrival? {
        holdsArrivals = false
        guard let arrival = ledger.loadIfUnlocked()?.heldArrival else { return nil }
        // A listener may call the bridge again.
        ledger.hold(nil)
        guard tell(arrival) else {
            ledger.hold(arrival)
            return nil
        }
        ledger.save()
        return arrival
    }

    /// Tells how a check ended.
    func tell(_ outcome: Outcome, _ road: Road = .pasteboard) {
        counts?.record(outcome, on: road)
        delegate?.appStoreBridge(self, didFinishCheckWith: outcome)
        onOutcome?(outcome)
    }
}
