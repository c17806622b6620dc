/// Looks for a referral on the pasteboard, reports it to its delegate, and remembers what it reported.
///
/// ```swift
/// let bridge = AppStoreBridge(appID: 1300230302, pasteboard: pasteboard, ledger: ledger)
/// bridge.delegate = self
/// await bridge.checkForReferralLinks()
/// ```
///
/// It reports first and remembers after, so that a crash in between loses nothing.
@MainActor
public final class AppStoreBridge {
    /// Is told of each referral; not kept alive by the bridge.
    public weak var delegate: (any AppStoreBridgeDelegate)?

    /// Is told of each referral too, for code that has no delegate.
    public var onReferral: (@MainActor (Referral) -> Void)?

    private let scanner: ReferralScanner
    private let pasteboard: any Pasteboard
    private let ledger: any ReferralLedger
    private let now: @Sendable () -> Timestamp

    /// What this bridge itself reported, should the ledger fail.
    private var lastReported: Timestamp?
    private var check: Task<Outcome, Never>?

    /// A bridge.
    ///
    /// - Parameters:
    ///   - scanner: Whose referrals it looks for, and how long a tap counts.
    ///   - pasteboard: Where it looks.
    ///   - ledger: Where it remembers the newest tap that it reported.
    ///   - now: The clock.
    public init(
        scanner: ReferralScanner,
        pasteboard: any Pasteboard,
        ledger: any ReferralLedger,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.scanner = scanner
        self.pasteboard = pasteboard
        self.ledger = ledger
        self.now = now
    }

    /// A bridge for an app, with the standard attribution window.
    public convenience init(appID: AppID, pasteboard: any Pasteboard, ledger: any ReferralLedger) {
        self.init(scanner: ReferralScanner(appID: appID), pasteboard: pasteboard, ledger: ledger)
    }

    /// Looks once, and reports what it finds.
    ///
    /// A call while another one is under way waits for it and answers the same; nothing is read or reported twice. What
    /// is found while there is neither a delegate nor a closure is not used up: a later check finds it again.
    ///
    /// - Returns: What came of it.
    @discardableResult
    public func checkForReferralLinks() async -> Outcome {
        if let check { return await check.value }
        let check = Task {
            defer { self.check = nil }
            return await look()
        }
        self.check = check
        return await check.value
    }
}

private extension AppStoreBridge {
    func look() async -> Outcome {
        // Taken before the read: whoever thinks about the system's question for a while does not lose the tap by it.
        let now = now()
        guard await pasteboard.mayHoldLink() else { return .nothingToRead }
        let strings = await pasteboard.strings()
        guard !strings.isEmpty else { return .notAllowedOrEmpty }

        let result = scanner.scan(strings, now: now, reported: await newestReported())
        guard let referral = result.found else { return .nothingForUs(result) }
        if report(referral) { await remember(referral.timestamp) }
        return .found(referral)
    }

    /// Tells whoever is there to be told.
    ///
    /// - Returns: Whether there was anybody.
    func report(_ referral: Referral) -> Bool {
        let delegate = delegate
        delegate?.appStoreBridge(self, didTriggerCampaignLinkReferrer: referral.referrer)
        delegate?.appStoreBridge(self, didReceive: referral)
        onReferral?(referral)
        return delegate != nil || onReferral != nil
    }

    /// The newest tap that this bridge or an earlier one reported.
    ///
    /// A ledger that cannot be read stops no report: a tap told twice does less harm than one that is lost.
    func newestReported() async -> Timestamp? {
        do {
            return [lastReported, try await ledger.newestReported()].compactMap { $0 }.max()
        } catch {
            delegate?.appStoreBridge(self, ledgerDidFail: error)
            return lastReported
        }
    }

    func remember(_ tap: Timestamp) async {
        lastReported = tap
        do {
            try await ledger.remember(tap)
        } catch {
            delegate?.appStoreBridge(self, ledgerDidFail: error)
        }
    }
}
