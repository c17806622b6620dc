import Foundation
import ReferralBridge
import SimulatedRuntime

/// Runs a test on a simulated device, at once and in one order.
@MainActor
func simulate(_ test: @escaping @MainActor (SimulatedDevice) -> Void) {
    JobQueue.run {
        let device = SimulatedDevice()
        test(device)
        device.terminate()
    }
}

/// What a test says to a device, in the words of a person who uses one.
extension SimulatedDevice {
    /// The app is opened from the home screen, or brought back to the front.
    @discardableResult
    func open(
        _ policy: SimulatedPolicy = .everyone,
        checks: Bool = true,
        isListening: Bool = true,
        isReady: Bool = true
    ) -> SimulatedProcess? {
        isLocked = false
        if process == nil {
            launch(inFront: true) { $0.start(policy, checks: checks, isListening: isListening, isReady: isReady) }
            JobQueue.drain()
        }
        process?.move(to: .inactive)
        process?.move(to: .active)
        JobQueue.drain()
        return process
    }

    func leave() {
        process?.move(to: .inactive)
        process?.move(to: .background)
        JobQueue.drain()
    }

    /// A tap on a page puts a link on the clipboard.
    func tap(_ referrer: String = "spring", ahead seconds: TimeInterval = 0) {
        let timestamp = Timestamp(milliseconds: now.advanced(by: seconds).milliseconds.rounded(.down))
        let tap = Tap(referrer: referrer, timestamp: timestamp)
        copy(Clipboard([link(referrer, at: timestamp)], taps: [tap], isLink: true))
    }

    func wait(_ seconds: TimeInterval) { advance(by: seconds * 1_000) }

    /// The referrers that the app was told, in order.
    var reported: [String] { installation.reports.map(\.tap.referrer) }
}

extension SimulatedProcess {
    /// What an app does when it finishes launching.
    func start(_ policy: SimulatedPolicy, checks: Bool, isListening: Bool = true, isReady: Bool = true) {
        makeBridge(policy)
        setHolding(!isReady)
        setListener(isListening)
        if checks { check() }
    }
}

/// A link to the app, tapped at a moment.
func link(_ referrer: String, at moment: Timestamp) -> String {
    Fixture.link(payload: #"{"timestamp":\#(Int64(moment.milliseconds)),"referrer":"\#(referrer)"}"#)
}
