import Foundation
import ReferralClip

@testable import ReferralBridge

/// The other roads into the app of a simulated device: addresses that open it, and the file of its App Clip.
extension SimulatedDevice {
    /// What the App Clip left in the app group.
    struct ClipFile {
        let bytes: [UInt8]
        /// The referral in it; `nil` if there is none that counts.
        let tap: Tap?
        /// What the clock said was added to it then.
        let clockOffset: Double
    }

    enum ClipContent: Hashable, CaseIterable { case good, old, future, otherPage, garbage }

    /// The person opens the App Clip with a landing page's address, before the app is there.
    func openClip(_ referrer: String, _ content: ClipContent = .good) {
        clip = ClipFile(referrer, content, at: now, clockOffset: clockOffset)
    }

    nonisolated static let landingPage = LandingPage("https://example.com/get", parameterItems: ["open"])

    nonisolated static func landingAddress(_ referrer: String) -> String {
        "https://example.com/get?via=\(referrer)&open=%2Fboards%2F\(referrer)"
    }

    /// The App Clip's referral, if the bridge owes a report of it: nobody has set the clock since, and it wasn't reported.
    var owedClipTap: Tap? {
        guard let clip, let tap = clip.tap, clip.clockOffset == clockOffset else { return nil }
        return installation.reports.contains { $0.tap == tap && !$0.isForgotten } ? nil : tap
    }
}

extension SimulatedDevice.ClipFile {
    init(_ referrer: String, _ content: SimulatedDevice.ClipContent, at now: Timestamp, clockOffset: Double) {
        let age =
            switch content {
            case .old: 2_592_000.0
            case .future: -60.0
            default: 0.0
            }
        let opened = Timestamp(milliseconds: now.advanced(by: -age).milliseconds.rounded(.down))
        let address =
            content == .otherPage
            ? "https://example.com/other?via=\(referrer)" : SimulatedDevice.landingAddress(referrer)
        let text = #"{"format":1,"address":"\#(address)","opened":\#(Int64(opened.milliseconds))}"#
        bytes = Array((content == .garbage ? String(text.dropLast()) : text).utf8)
        tap = content == .good ? SimulatedDevice.Tap(referrer: referrer, timestamp: opened) : nil
        self.clockOffset = clockOffset
    }
}

// MARK: - The app

extension SimulatedProcess {
    /// The system passes an address to the app.
    func handle(_ address: String, isRepeated: Bool = false) {
        guard isAlive, let bridge, let url = URL(string: address) else { return }
        let referrer = String(address.dropFirst("https://example.com/get?via=".count).prefix { $0 != "&" })
        let count = device.installation.reports.count
        let outcome = bridge.handle(url)
        note(outcome)
        compareHeld()
        guard isAlive else { return }
        switch outcome {
        case .waitingForUnlock where device.isLocked: return
        case .unreported where bridge.onArrival == nil && !isHolding: return
        case .noReferral(let result) where isRepeated && result.verdicts == [.alreadyReported]: return
        case .found(let arrival), .held(let arrival):
            if isRepeated { device.violate("\(referrer) counted twice within two seconds") }
            if arrival.referrer != referrer { device.violate("\(referrer) became \(arrival.referrer)") }
            if arrival.road != .opened { device.violate("\(referrer) came by \(arrival.road)") }
            if arrival.destination == nil { device.violate("\(referrer) leads nowhere") }
            if device.installation.reports.count == count { device.violate("nobody was told of \(referrer)") }
        default: device.violate("\(referrer) was lost when its address opened the app: \(outcome)")
        }
    }

    /// Whether the app can't show anything yet.
    func setHolding(_ holds: Bool) {
        guard let bridge, holds != isHolding else { return }
        isHolding = holds
        if holds { bridge.holdsArrivals = true } else { bridge.releaseArrivals() }
    }

    /// Takes note of what the bridge says that it holds.
    func note(_ outcome: AppStoreBridge.Outcome) {
        // Even one that no report is owed of, since the clock was set.
        if let arrival = outcome.arrival, arrival.road == .appClip {
            hasClipReferral = true
            let newest = device.installation.clipReferral ?? arrival.timestamp
            device.installation.clipReferral = max(newest, arrival.timestamp)
        }
        guard isAlive, case .held(let arrival) = outcome else { return }
        let tap = SimulatedDevice.Tap(referrer: arrival.referrer, timestamp: arrival.timestamp)
        if !isHolding { device.violate("\(tap.referrer) was held although the app is ready") }
        addReport(of: tap, isSaved: !device.isDiskFull)
        // The newest one is kept.
        if let held = device.held, held.timestamp >= tap.timestamp {} else { device.held = tap }
    }

    /// Compares what the bridge and the ledger hold with what is owed.
    func compareHeld() {
        guard isAlive, !device.isLocked else { return }
        let owed = device.held?.referrer ?? "nothing"
        let held = bridge.map { $0.heldArrival?.referrer ?? "nothing" } ?? owed
        if held != owed { device.violate("the bridge holds \(held) instead of \(owed)") }
        guard !hasUnsaved else { return }
        let saved = device.record.heldArrival?.referrer ?? "nothing"
        if saved != owed { device.violate("the ledger holds \(saved) instead of \(owed)") }
    }
}

// MARK: - The folder of the app group

extension SimulatedProcess: ClipStorage {
    func read() async throws -> [UInt8]? {
        clipAccesses += 1
        defer { clipAccesses -= 1 }
        if device.clipLatency > 0 { await sleep(device.clipLatency) }
        if device.failingAccess == .clip {
            device.failingAccess = nil
            hasClipFailed = true
            throw CancellationError()
        }
        guard isAlive, let clip = device.clip else { return nil }
        if device.owedClipTap != nil { hasClipReferral = true }
        clipReadOffset = device.clockOffset
        return clip.bytes
    }

    func remove() async {
        clipAccesses += 1
        defer { clipAccesses -= 1 }
        if device.clipLatency > 0 { await sleep(device.clipLatency) }
        guard isAlive else { return }
        let isSaved = device.installation.reports.contains { $0.tap == device.clip?.tap && $0.isSaved }
        // Somebody may set the clock after the file was judged.
        let wasJudged = device.clip?.clockOffset == clipReadOffset
        if let clip = device.clip, clip.tap != nil, clip.clockOffset == device.clockOffset, wasJudged, !isSaved {
            device.violate("the App Clip's file is gone before its report is in the ledger")
        }
        device.clip = nil
    }
}
