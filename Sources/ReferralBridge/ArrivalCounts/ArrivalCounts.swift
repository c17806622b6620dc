public import ReferralFoundation
import ReferralInviteCodes

/// Counts, on the device, how a bridge's checks end and what people do after they arrive.
///
/// ```swift
/// let counts = ArrivalCounts(appID: 1300230302, in: .applicationSupportDirectory)
/// counts.observe(bridge)
/// counts.record(event: "first-purchase")
/// let text = try counts.export()
/// ```
///
/// The file contains numbers per day, road, outcome and referrer, and the last arrivals. The library never sends it. The command's
/// `report` reads what ``export()`` returns, of one device or of many.
@MainActor
public final class ArrivalCounts {
    /// The number of rows that the file keeps. Beyond it, referrers are counted together as *other*, and then the rows of the oldest
    /// day are dropped one by one. The export contains the sum of their counts as `dropped`.
    public nonisolated static let maximumRows = 1_000

    /// The time, in seconds, that an event counts for the referrer after the arrival: 30 days. At exactly this age, it doesn't.
    public nonisolated static let eventWindow: TimeInterval = 2_592_000

    /// Called when the file can't be read or written. What was counted is kept in memory and saved with the next count. A file that
    /// isn't one of counts is replaced.
    public var onFailure: (@MainActor (any Error) -> Void)?

    private let appID: AppID
    private let storage: any ReferralLedger
    private let keepsReferrers: Bool
    private let keepsCodes: Bool
    private let clock: DeviceClock
    /// The changes that aren't saved.
    private var changes: [(inout CountsRecord) -> Void] = []

    /// Creates counts in the file `ReferralBridge/counts.json` of a folder of the app, such as `.applicationSupportDirectory`. The
    /// first count creates it. It is usually smaller than 100 kilobytes, and each count writes it on the main actor.
    ///
    /// - Parameters:
    ///   - appID: The app.
    ///   - folder: The folder.
    ///   - keepsReferrers: Whether the counts tell referrers apart.
    ///   - keepsCodes: Whether they tell invite codes apart, each of which stands for a person. Otherwise all of them are counted
    ///     together as *invitations*.
    public convenience init(appID: AppID, in folder: URL, keepsReferrers: Bool = true, keepsCodes: Bool = false) {
        let storage = FileLedger(folder.appendingPathComponent("ReferralBridge/counts.json"))
        self.init(appID: appID, storage: storage, keepsReferrers: keepsReferrers, keepsCodes: keepsCodes)
    }

    /// Creates counts in a storage of your own, such as in a test. It must not be that of a bridge's ledger.
    public init(
        appID: AppID,
        storage: any ReferralLedger,
        keepsReferrers: Bool = true,
        keepsCodes: Bool = false,
        clock: DeviceClock = .system
    ) {
        self.appID = appID
        self.storage = storage
        self.keepsReferrers = keepsReferrers
        self.keepsCodes = keepsCodes
        self.clock = clock
    }

    // MARK: Counting

    /// Counts the arrivals of a bridge from now on, and how its checks end without one. The bridge keeps these counts.
    ///
    /// An arrival counts after the delegate and before the closures are told of it. It counts once, even if the app ends before
    /// the bridge's ledger is saved, so that the bridge reports it again. These don't count: checks that haven't ended, don't look
    /// at the pasteboard or find a tap that was reported before, and addresses without a referral that open the app.
    public func observe(_ bridge: AppStoreBridge) { bridge.counts = self }

    /// Counts an arrival that no bridge reports, such as that of a code from `InviteCodeField`.
    public func record(_ arrival: Arrival) {
        let row = row(Verdict.found.rawValue, on: arrival.road, arrival.referrer)
        let counted = CountedArrival(tap: arrival.timestamp, moment: clock.now(), row: row)
        update { $0.add(counted) }
    }

    /// Counts an event under the referrer of the last arrival, or without a referrer if there is none in the last 30 days.
    ///
    /// - Parameter name: The name of the event, such as `first-purchase`. A name that isn't 1 to 64 bytes long counts as `other`.
    public func record(event name: String) {
        let now = clock.now()
        update { $0.add(event: 1...64 ~= name.utf8.count ? name : "other", at: now) }
    }

    /// Counts how a check ended without an arrival. One that has an arrival counts when somebody is told.
    func record(_ outcome: AppStoreBridge.Outcome, on road: Road) {
        switch outcome {
        case .noLinkDetected: count("noLinkDetected", on: road)
        case .emptyOrDenied: count("emptyOrDenied", on: road)
        case .readFailed: count("readFailed", on: road)
        case .noReferral(let result):
            // The string counts that came closest to it.
            let closest = Verdict.allCases.last { result.verdicts.contains($0) }
            let judgment = result.judgments.first { $0.verdict == closest }
            // An app is opened by other addresses too, and a tap that was reported before was counted then.
            let isOther = road == .opened && (closest == .notALink || closest == .noPayload)
            guard let closest, closest != .alreadyReported, !isOther else { return }
            count(closest.rawValue, on: road, judgment?.arrival?.referrer)
        case .found, .held, .unreported, .unchanged, .skipped: break
        case .stillReading, .waitingForActivation, .waitingForUnlock: break
        }
    }

    private func count(_ outcome: String, on road: Road, _ referrer: String? = nil) {
        let row = row(outcome, on: road, referrer)
        update { $0.add(row) }
    }

    private func row(_ outcome: String, on road: Road, _ referrer: String?) -> CountsRow {
        var row = CountsRow(day: clock.now().day, road: road, outcome: outcome)
        guard keepsReferrers, let referrer else { return row }
        if referrer.utf8.count > 256 {
            // A longer one has no row of its own.
            row.group = CountsRow.other
        } else if !keepsCodes, (try? InviteCode(referrer)) != nil {
            row.group = "invitations"
        } else {
            row.referrer = referrer
        }
        return row
    }

    // MARK: Exports

    /// Returns the counts as one line of JSON, for the app's own analytics, a mail or a share sheet.
    ///
    /// - Throws: An error if the file can't be read.
    public func export() throws -> String {
        var record = try saved()
        for change in changes { change(&record) }
        record.arrivals = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(record), as: UTF8.self)
    }

    /// Deletes the counts. Later events still count for the referrer of the last arrival.
    ///
    /// Call it right after ``export()``, and keep the text until it is sent: what is counted in between would be lost.
    public func reset() { update { ($0.rows, $0.dropped) = ([], nil) } }

    private func saved() throws -> CountsRecord {
        guard let data = try storage.load() else { return CountsRecord(app: appID.description) }
        return try JSONDecoder().decode(CountsRecord.self, from: data)
    }

    private func update(_ change: @escaping (inout CountsRecord) -> Void) {
        changes.append(change)
        var failure: (any Error)?
        do {
            var record = CountsRecord(app: appID.description)
            do { record = try saved() } catch let error as DecodingError { failure = error }
            for change in changes { change(&record) }
            try storage.save(JSONEncoder().encode(record))
            changes = []
        } catch { failure = error }
        if let failure { onFailure?(failure) }
    }
}
