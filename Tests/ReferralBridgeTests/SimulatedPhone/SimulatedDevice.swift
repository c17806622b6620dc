import Foundation
import SimulatedRuntime

@testable import ReferralBridge

/// An iPhone without a screen: its clock, its clipboard, its storage and its person. Time passes only when a test says so.
@MainActor
final class SimulatedDevice {
    // MARK: Time

    /// Milliseconds since the simulation began.
    private(set) var elapsed = 0.0

    /// What the person added to the clock, in milliseconds.
    var clockOffset = 0.0
    private(set) var started = 0.0

    var now: Timestamp { Timestamp(milliseconds: 1_795_224_750_690 + elapsed + clockOffset) }
    var uptime: TimeInterval { (elapsed - started) / 1_000 }

    // MARK: What lasts

    private(set) var clipboard = Clipboard([], isLink: false)
    private(set) var changeCount = 0

    /// The app's user defaults. They go with the app.
    var ledger: Data?
    var record: LedgerRecord {
        do {
            return try LedgerRecord(ledger)
        } catch {
            preconditionFailure("\(error)")
        }
    }
    /// The file of the counts.
    var counts: Data?
    var isLocked = false
    var isDiskFull = false

    /// The arrival that the bridge owes the app when it is ready.
    var held: Tap?

    var clip: ClipFile?
    /// How long each access to the folder of the app group takes, in milliseconds.
    var clipLatency = 0.0

    /// The app as it was installed: another one after it was deleted and fetched again.
    private(set) var installation = Installation(number: 0)

    /// How often the device was started and its clock set: afterwards a clipboard may be asked about once more.
    private(set) var clockChanges = 0

    // MARK: How the world behaves

    var person = Person()

    /// How long each access to the pasteboard takes, in milliseconds; infinite where it never ends.
    var latency = 0.0
    /// How much longer the silent probe takes, in milliseconds; infinite where it never answers.
    var probeLatency = 0.0
    var failingAccess: Access?
    /// The next moment of this kind ends the app's process.
    var crashMoment: CrashMoment?

    private(set) var process: SimulatedProcess?

    /// What went wrong, in words.
    private(set) var violations: [String] = []

    private var timers: [Timer] = []
    private var nextTimer = 0

    init() {
        timers.reserveCapacity(16)
    }
}

// MARK: - Its parts

extension SimulatedDevice {
    enum Access: Hashable, CaseIterable { case probe, read, emptyRead, clip }

    /// Between two effects of the launch: after the app was told, and after the ledger was written.
    enum CrashMoment: Hashable, CaseIterable { case told, saved }

    struct Person: Hashable {
        enum Answer: Hashable, CaseIterable { case allow, decline }
        var answer = Answer.allow
        /// How long they think about a question, in milliseconds.
        var delay = 4_000.0
        /// Whether the activity comes back before the read has its answer, or after.
        var isActiveFirst = true
        /// Whether a question ends, with nothing, when they leave the app; otherwise it waits for them.
        var dismissesByLeaving = false
    }

    /// One content of the clipboard. Its identity is what a person is asked about.
    final class Clipboard {
        let strings: [String]
        let taps: [Tap]
        /// Whether the silent probe sees a link.
        let isLink: Bool
        var isAllowed = false
        /// Questions whose answer reached the app, by the moment's installation and clock.
        var answered: [AskedWhen: Int] = [:]
        var wasDeclined = false
        /// Whether it was read while the clock said that its tap was far ahead. Such a tap isn't waited for.
        var wasReadTooEarly = false
        var lastRead: Read?
        /// The referrer of a landing page's address among the strings.
        var landing: String?

        /// When the app got the strings.
        struct Read {
            weak var process: SimulatedProcess?
            let installation: Int
            let startOfDevice: Double
            /// What was added to the clock when the app finished with the strings, by which it knows them later; `nil` if nobody
            /// can say, because the clock was set before a report.
            var clockOffset: Double?
            /// Whether its tap is too far ahead to be waited for.
            let isHopeless: Bool
        }

        init(_ strings: [String], taps: [Tap] = [], isLink: Bool) {
            self.strings = strings
            self.taps = taps
            self.isLink = isLink
        }
    }

    struct AskedWhen: Hashable {
        let installation: Int
        let clockChanges: Int
    }

    struct Tap: Hashable {
        let referrer: String
        let timestamp: Timestamp
    }

    /// What one installation of the app was told.
    final class Installation {
        /// Tells installations apart. The address of a deleted one may be used again.
        let number: Int
        var reports: [Report] = []
        var emptyReads: [ObjectIdentifier: Int] = [:]
        /// When the newest referral of an App Clip was made, even one of which no report is owed.
        var clipReferral: Timestamp?
        /// The taps of which the app was told.
        var told: Set<Tap> = []

        init(number: Int) { self.number = number }

        struct Report {
            let tap: Tap
            let moment: Timestamp
            let wasPasted: Bool
            /// Whether it is in the ledger.
            var isSaved: Bool
            /// Whether the process ended before it was in the ledger.
            var isForgotten = false
        }
    }

    private struct Timer {
        let id: Int
        let due: Double
        weak var owner: AnyObject?
        let action: () -> Void
    }

    func violate(_ text: @autoclosure () -> String) { violations.append(text()) }
}

// MARK: - Time

extension SimulatedDevice {
    /// Runs something later. Returns what cancels it.
    @discardableResult
    func after(_ milliseconds: Double, for owner: AnyObject, _ action: @escaping () -> Void) -> Int {
        nextTimer += 1
        timers.append(Timer(id: nextTimer, due: elapsed + milliseconds, owner: owner, action: action))
        return nextTimer
    }

    /// Runs a timer at once.
    func fire(_ id: Int) {
        guard let index = timers.firstIndex(where: { $0.id == id }) else { return }
        let timer = timers.remove(at: index)
        timer.action()
    }

    func cancel(_ id: Int) { timers.removeAll { $0.id == id } }

    /// Runs every timer of a process that ends, so that nothing of it waits.
    func fireAll(of owner: AnyObject) {
        for timer in timers where timer.owner === owner { fire(timer.id) }
    }

    /// Lets time pass, timer by timer.
    func advance(by milliseconds: Double) {
        let end = elapsed + milliseconds
        JobQueue.drain()
        while let next = timers.min(by: { ($0.due, $0.id) < ($1.due, $1.id) }), next.due <= end {
            elapsed = max(elapsed, next.due)
            fire(next.id)
            JobQueue.drain()
        }
        elapsed = end
    }
}

// MARK: - What happens to it

extension SimulatedDevice {
    func copy(_ clipboard: Clipboard) {
        self.clipboard = clipboard
        changeCount += 1
    }

    func launch(inFront: Bool, _ setUp: (SimulatedProcess) -> Void) {
        let process = SimulatedProcess(on: self, state: inFront ? .inactive : .background)
        self.process = process
        setUp(process)
    }

    /// The app's process is gone, wherever it was.
    func terminate() {
        guard let process else { return }
        self.process = nil
        let isCrash = !process.isAlive
        process.end()
        if process.hasUnsaved || isCrash { forgetUnsaved() }
        fireAll(of: process)
        JobQueue.drain()
    }

    /// What wasn't in the ledger is gone with the process.
    private func forgetUnsaved() {
        for index in installation.reports.indices where !installation.reports[index].isSaved {
            installation.reports[index].isForgotten = true
        }
        held = record.heldArrival.map { Tap(referrer: $0.referrer, timestamp: $0.timestamp) }
        // It was written before the app could hear of it.
        if let held, !installation.reports.contains(where: { $0.tap == held }) {
            installation.reports.append(.init(tap: held, moment: now, wasPasted: false, isSaved: true))
        }
        clipboard.lastRead = nil
        clockChanges += 1
    }

    func restart() {
        terminate()
        // Longer than the minute that a mark allows for drift.
        elapsed += 90_000
        started = elapsed
        changeCount = 0
        isLocked = true
        clockChanges += 1
    }

    func setClock(by milliseconds: Double) {
        clockOffset += milliseconds
        guard abs(milliseconds) > 50_000 else { return }
        clockChanges += 1
        if let read = clipboard.lastRead, !clipboard.taps.isEmpty, !read.isHopeless, !isReported(clipboard) {
            clipboard.lastRead?.clockOffset = nil
        }
    }

    /// Whether the app was told of a tap in a content that it read.
    func isReported(_ clipboard: Clipboard) -> Bool {
        installation.reports.contains { clipboard.taps.contains($0.tap) && !$0.wasPasted }
    }

    func reinstall() {
        terminate()
        (ledger, counts) = (nil, nil)
        (clip, held) = (nil, nil)
        installation = Installation(number: installation.number + 1)
    }

    var asked: AskedWhen { AskedWhen(installation: installation.number, clockChanges: clockChanges) }
}
