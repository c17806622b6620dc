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

    /// Called each time a check ends, after the delegate. Use it instead of a delegate.
    public var onOutcome: (@MainActor (Outcome) -> Void)?

    /// The users whose taps count if the bridge finds them on the pasteboard.
    public var attributionPolicy: AttributionPolicy {
        get { launch.settings.policy }
        set { launch.settings.policy = newValue }
    }

    /// Whether the bridge, after the first ``checkForReferralLinks()``, checks again each time the app becomes active. With
    /// ``AttributionPolicy/firstLaunch``, it doesn't look at the pasteboard once the first launch has ended.
    ///
    /// A check of an unchanged pasteboard doesn't read it and doesn't prompt. Turn this off in an app that checks only
    /// in context, so that users who copy an address in another app aren't asked when they return.
    public var checksAtActivation: Bool {
        get { launch.settings.checksAtActivation }
        set { launch.settings.checksAtActivation = newValue }
    }

    /// The longest time that a caller of ``checkForReferralLinks()`` waits, in seconds; 3 by default.
    ///
    /// The limit doesn't end the read: a late answer also counts.
    public var timeLimit: TimeInterval {
        get { launch.settings.timeLimit }
        set { launch.settings.timeLimit = newValue }
    }

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
    public var holdsArrivals: Bool {
        get { launch.settings.holdsArrivals }
        set { launch.settings.holdsArrivals = newValue }
    }

    /// Called with each arrival, after ``onArrival``: the action of the view that checks.
    var viewAction: (@MainActor (Arrival) -> Void)?

    /// Counts what is reported.
    var counts: ArrivalCounts?

    package var clipStorage: (any ClipStorage)? {
        didSet { launch.settings.hasClip = clipStorage != nil }
    }

    let clock: DeviceClock
    let pasteboard: any Pasteboard
    let ledger: any ReferralLedger
    let activity: (any AppActivity)?

    // For AppStoreBridge+Launch.swift
    var launch: Launch
    var pending: [Launch.Effect] = []
    var timer = WakeTimer()
    var lastCall = 0
    /// The calls that wait for an outcome.
    var waiting: [Int: (Outcome) -> Void] = [:]

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
        self.pasteboard = pasteboard
        self.activity = activity
        self.clock = clock
        self.ledger = ledger
        launch = Launch(scanner: scanner, activity: activity?.state, at: clock.moment)
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
        await withCheckedContinuation { continuation in
            lastCall += 1
            waiting[lastCall] = { continuation.resume(returning: $0) }
            send(.checkRequested(call: lastCall, activity: activity?.state))
        }
    }

    /// Judges strings that the user pasted with any button, and reports the referral in them.
    ///
    /// A link or the address of a landing page also counts with text around it, as in an invitation from a chat: the first one that
    /// counts.
    ///
    /// - Parameter strings: The pasted texts and addresses.
    /// - Returns: As ``handle(_:)``, or ``Outcome/emptyOrDenied`` without any strings. A string of more than 131,072 bytes is left out.
    @discardableResult
    public func handlePaste(_ strings: [String]) -> Outcome {
        answer(on: .pasteButton) { .pasted(call: $0, strings) }
    }

    /// Judges a pasted text, as ``handlePaste(_:)-([String])`` does.
    @discardableResult
    public func handlePaste(_ text: String) -> Outcome { handlePaste([text]) }

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
        answer(on: .opened) { .opened(call: $0, address: url.absoluteString) }
    }

    /// The arrival that the bridge holds; `nil` if there is none, or while the device is locked and the ledger can't be read.
    public var heldArrival: Arrival? {
        if launch.ledger.loaded == nil { readLedger() }
        return launch.record.heldArrival
    }

    /// Reports the arrival that the bridge holds, and from now on reports each arrival at once.
    ///
    /// The arrival is reported before the ledger forgets it, so a crash in between reports it again at the next release. While the
    /// device is locked, the next check reports it.
    ///
    /// - Returns: The arrival that was reported; `nil` if there is none, or nobody to tell.
    @discardableResult
    public func releaseArrivals() -> Arrival? {
        guard case .found(let arrival) = answer(on: nil, { .released(call: $0) }) else { return nil }
        return arrival
    }
}
