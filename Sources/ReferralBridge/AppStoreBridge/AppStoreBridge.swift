#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

    /// At which launches the pasteboard is looked at. What a person pastes and what opens the app is judged at any.
    public var installPolicy = InstallPolicy.everyLaunch

    /// Whether the pasteboard is cleared once a referral was found on it and reported, if it is still the same one.
    public var clearsPasteboard = false

    /// How long a read may take, in seconds. Another device's clipboard has been seen to block for 15.
    public var readTimeLimit = 3.0

    private let scanner: ReferralScanner
    private let pasteboard: any Pasteboard
    private let ledger: any ReferralLedger
    private let now: @Sendable () -> Timestamp
    private let timer: @Sendable (_ seconds: Double) async -> Void

    /// What this bridge itself did, should the ledger fail.
    private var own = LedgerRecord()
    private var isLedgerFailing = false
    private var check: Task<Outcome, Never>?

    /// A bridge.
    ///
    /// - Parameters:
    ///   - scanner: Whose referrals it looks for, and how long a tap counts.
    ///   - pasteboard: Where it looks.
    ///   - ledger: Where it remembers what it did.
    ///   - now: The clock.
    ///   - timer: Returns after so many seconds; ends a read that takes too long.
    public init(
        scanner: ReferralScanner,
        pasteboard: any Pasteboard,
        ledger: any ReferralLedger,
        now: @escaping @Sendable () -> Timestamp = { .now },
        timer: @escaping @Sendable (_ seconds: Double) async -> Void = { seconds in
            // A year is for ever, and within what nanoseconds can count.
            let nanoseconds = seconds > 0 ? min(seconds, 31_536_000) * 1_000_000_000 : 0
            try? await Task.sleep(nanoseconds: UInt64(nanoseconds))
        }
    ) {
        self.scanner = scanner
        self.pasteboard = pasteboard
        self.ledger = ledger
        self.now = now
        self.timer = timer
    }

    /// A bridge for an app, with the standard attribution window.
    public convenience init(appID: AppID, pasteboard: any Pasteboard, ledger: any ReferralLedger) {
        self.init(scanner: ReferralScanner(appID: appID), pasteboard: pasteboard, ledger: ledger)
    }

    /// Looks at the pasteboard once, and reports what it finds.
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

    /// Judges what a person pasted, by whatever button, and reports what is found.
    ///
    /// - Parameter strings: The strings, text or addresses.
    /// - Returns: What came of it.
    @discardableResult
    public func paste(_ strings: [String]) -> Outcome {
        guard !strings.isEmpty else { return .notAllowedOrEmpty }
        let result = scanner.scan(strings, now: now(), reported: record().newestReported)
        guard let referral = result.found else { return .nothingForUs(result) }
        report(referral)
        return .found(referral)
    }

    /// Judges an address that the system opened the app with: a universal link, or one of the app's own scheme.
    ///
    /// Its host and its app id are the system's business, so that it is judged from its item `ed` on.
    ///
    /// - Parameter url: The address.
    /// - Returns: Whether it carried a referral that counts, which then was reported. Where it did not, it is the app's
    ///   own to look at.
    @discardableResult
    public func open(_ url: URL) -> Bool {
        let judgement = scanner.judge(opened: url.absoluteString, now: now(), reported: record().newestReported)
        guard judgement.verdict == .found, let referral = judgement.link?.referral else { return false }
        return report(referral)
    }
}

// MARK: - The pasteboard

private extension AppStoreBridge {
    func look() async -> Outcome {
        // Taken before the read: whoever thinks about the system's question for a while does not lose the tap by it.
        let now = now()
        if case .firstLaunch = installPolicy, record().isFirstLaunchOver { return .notThisLaunch }

        // Counted before the read too: whatever is put there meanwhile is then read at the next check.
        let changeCount = await pasteboard.changeCount
        if let changeCount, changeCount == record().readChangeCount { return .alreadyRead }
        guard await pasteboard.mayHoldLink() else {
            remember { $0.isFirstLaunchOver = true }
            return .nothingToRead
        }
        switch await read() {
        case nil: return .timedOut
        case .failure: return .notAllowedOrEmpty
        case .success([]):
            remember { $0.readChangeCount = changeCount }
            return .notAllowedOrEmpty
        case .success(let strings):
            return await judge(strings, now: now, changeCount: changeCount)
        }
    }

    func judge(_ strings: [String], now: Timestamp, changeCount: Int?) async -> Outcome {
        var result = scanner.scan(strings, now: now, reported: record().newestReported)
        func conclude(_ record: inout LedgerRecord) {
            // A tap from the future may count later, and is then to be read again.
            if !result.verdicts.contains(.fromTheFuture) { record.readChangeCount = changeCount }
            record.isFirstLaunchOver = true
        }
        guard let referral = result.found else {
            remember(conclude)
            return .nothingForUs(result)
        }
        if case .firstDownload(let date) = installPolicy {
            guard let date = try? await date() else { return .notThisLaunch }
            // The store's clock and the device's need not agree.
            guard Timestamp(date).milliseconds + scanner.window.toleranceMilliseconds >= referral.timestamp.milliseconds
            else {
                remember(conclude)
                return .notThisLaunch
            }
            // Meanwhile the same tap may have come another way.
            result = scanner.scan(strings, now: now, reported: record().newestReported)
            guard result.found == referral else { return .nothingForUs(result) }
        }
        if report(referral, conclude), clearsPasteboard, let changeCount, result.judgements.allSatisfy(\.isOurs) {
            await pasteboard.clear(ifChangeCountIs: changeCount)
        }
        return .found(referral)
    }

    /// Reads the pasteboard; `nil` where that takes too long.
    func read() async -> Result<[String], any Error>? {
        await withCheckedContinuation { continuation in
            // Both tasks run on the main actor, so that one of them answers and the other finds that it is late.
            var waiting: CheckedContinuation<Result<[String], any Error>?, Never>? = continuation
            func answer(_ result: Result<[String], any Error>?) {
                waiting?.resume(returning: result)
                waiting = nil
            }
            let limit = Task {
                await timer(readTimeLimit)
                answer(nil)
            }
            Task {
                do { answer(.success(try await pasteboard.strings())) } catch { answer(.failure(error)) }
                limit.cancel()
            }
        }
    }
}

// MARK: - The report and the ledger

private extension AppStoreBridge {
    /// Tells whoever is there to be told, and then remembers it.
    ///
    /// - Parameters:
    ///   - referral: The referral.
    ///   - change: What else there is to remember.
    /// - Returns: Whether there was anybody.
    @discardableResult
    func report(_ referral: Referral, _ change: (inout LedgerRecord) -> Void = { _ in }) -> Bool {
        let delegate = delegate
        guard delegate != nil || onReferral != nil else { return false }
        // Known here before anybody is told, since whoever is told may call the bridge again; in the ledger only after.
        own.newestReported = referral.timestamp
        delegate?.appStoreBridge(self, didTriggerCampaignLinkReferrer: referral.referrer)
        delegate?.appStoreBridge(self, didReceive: referral)
        onReferral?(referral)
        remember(change)
        return true
    }

    /// What this bridge or an earlier one did.
    ///
    /// A ledger that cannot be read stops no report: a tap told twice does less harm than one that is lost.
    func record() -> LedgerRecord {
        var record = ledger(default: LedgerRecord()) { try ledger.record() }
        let reported = [record.newestReported, own.newestReported]
        record.newestReported = reported.compactMap { scanner.window.trusted(reported: $0, now: now()) }.max()
        record.readChangeCount = own.readChangeCount ?? record.readChangeCount
        record.isFirstLaunchOver = record.isFirstLaunchOver || own.isFirstLaunchOver
        return record
    }

    func remember(_ change: (inout LedgerRecord) -> Void) {
        own = record()
        change(&own)
        ledger(default: ()) { if (try? ledger.record()) != own { try ledger.save(own) } }
    }

    /// Asks the ledger, and tells the delegate when it begins to fail.
    func ledger<Value>(default value: Value, _ ask: () throws -> Value) -> Value {
        do {
            let value = try ask()
            isLedgerFailing = false
            return value
        } catch {
            if !isLedgerFailing { delegate?.appStoreBridge(self, ledgerDidFail: error) }
            isLedgerFailing = true
            return value
        }
    }
}

private extension Judgement {
    /// Whether the string is a link to this app, whatever it carries.
    var isOurs: Bool { verdict != .notALink && verdict != .wrongApp }
}
