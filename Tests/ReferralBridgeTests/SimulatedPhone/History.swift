import Foundation
import ReferralBridge
import SimulatedRuntime

/// What happens to a simulated device, one event after the other.
struct History: Hashable {
    var policy: SimulatedPolicy
    /// Whether the app calls the bridge when it finishes launching.
    var checksAtLaunch: Bool
    var events: [Event]

    enum Event: Hashable {
        /// Time passes, in milliseconds.
        case wait(Double)
        /// A tap on a page, whose clock may be ahead or behind, in milliseconds. In Split View the app stays active.
        case tap(ahead: Double, inSplitView: Bool)
        /// Something else is copied.
        case copy(isAddress: Bool)
        /// The clipboard of another device of the person, with a tap made on it so long ago, or with an address.
        case receive(tapAge: Double?)
        case open
        /// The app comes to the front before the device was unlocked, as an app for calls does.
        case openOverLockScreen
        case launchInBackground
        case leave
        /// The person leaves and comes back after half a second.
        case glanceAway
        case cover
        case uncover
        case crash
        /// The process ends in the middle of a later event.
        case crashAt(SimulatedDevice.CrashMoment)
        case restart
        case setClock(Double)
        case reinstall
        case person(SimulatedDevice.Person)
        /// How long each access takes, in milliseconds.
        case latency(Double)
        /// How much longer the silent probe takes, in milliseconds.
        case probeLatency(Double)
        case failure(SimulatedDevice.Access)
        case listener(Bool)
        case check
        case paste
        /// A landing page's address opens the app, perhaps delivered again so many milliseconds later.
        case openAddress(again: Double?)
        /// A landing page's address is copied.
        case copyLanding
        case openClip(SimulatedDevice.ClipContent)
        case clipLatency(Double)
        /// Whether the app can show where a referral leads.
        case ready(Bool)
        case diskFull(Bool)
    }
}

// MARK: - At random

extension History {
    /// The history of a seed, always the same one.
    init(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        policy =
            [.firstLaunch, .everyone].randomElement(using: &random)
            ?? .everyone
        checksAtLaunch = Int.random(in: 0..<10, using: &random) > 0
        // Most begin as they should: a tap, a while in the store, and the app.
        events = Bool.random(using: &random) ? [.tap(ahead: 0, inSplitView: false), .wait(20_000), .open] : []
        if Int.random(in: 0..<8, using: &random) == 0 { events.insert(.listener(false), at: 0) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            events.insert(.openClip(Int.random(in: 0..<3, using: &random) > 0 ? .good : .random(&random)), at: 0)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { events.insert(.ready(false), at: 0) }
        for _ in 0..<Int.random(in: 1...12, using: &random) { events.append(.random(&random)) }
    }
}

private extension History.Event {
    static func random(_ random: inout SeededGenerator) -> Self {
        switch Int.random(in: 0..<140, using: &random) {
        case ..<20: .wait([1, 40, 900, 2_500, 5_000, 20_000, 70_000, 240_000].randomElement(using: &random) ?? 1)
        case ..<32:
            .tap(
                ahead: [0, 0, 0, 0, -1_000, 10_000, 29_000, 40_000, 1e9].randomElement(using: &random) ?? 0,
                inSplitView: Int.random(in: 0..<6, using: &random) == 0
            )
        case ..<35: .copy(isAddress: Bool.random(using: &random))
        case ..<38: .receive(tapAge: [nil, 1_000, 60_000].randomElement(using: &random) ?? nil)
        case ..<53: .open
        case ..<54: .openOverLockScreen
        case ..<57: .launchInBackground
        case ..<64: .leave
        case ..<66: .cover
        case ..<68: .uncover
        case ..<72: .crash
        case ..<75: .restart
        case ..<76: .setClock([45_000, 3.7e6, -3.7e6, 8.7e7, -8.7e7].randomElement(using: &random) ?? 0)
        case ..<77: .reinstall
        case ..<84:
            .person(
                SimulatedDevice.Person(
                    answer: Int.random(in: 0..<4, using: &random) == 0 ? .decline : .allow,
                    delay: [300, 2_000, 9_000, 20_000].randomElement(using: &random) ?? 300,
                    isActiveFirst: Bool.random(using: &random),
                    dismissesByLeaving: Bool.random(using: &random)
                )
            )
        case ..<87: .latency([0, 5, 1_500, 15_000, .infinity].randomElement(using: &random) ?? 0)
        case ..<90: .failure(SimulatedDevice.Access.allCases.randomElement(using: &random) ?? .probe)
        case ..<93: .leave
        case ..<95: .listener(Bool.random(using: &random))
        case ..<98: .check
        case ..<100: .paste
        case ..<104:
            .probeLatency([0, 0, 1_500, 2_500, 9_000, .infinity, .infinity].randomElement(using: &random) ?? 0)
        case ..<108: .glanceAway
        case ..<116: .openAddress(again: [nil, nil, 0, 40, 1_900].randomElement(using: &random) ?? nil)
        case ..<119: .copyLanding
        case ..<121: .openClip(.random(&random))
        case ..<123: .clipLatency([0, 5, 1_500].randomElement(using: &random) ?? 0)
        case ..<131: .ready(Int.random(in: 0..<3, using: &random) > 0)
        case ..<135: .crashAt(Bool.random(using: &random) ? .told : .saved)
        default: .diskFull(Int.random(in: 0..<3, using: &random) == 0)
        }
    }
}

private extension SimulatedDevice.ClipContent {
    static func random(_ random: inout SeededGenerator) -> Self { allCases.randomElement(using: &random) ?? .good }
}

// MARK: - Shrinking

extension History {
    /// A shorter history on which the same holds, found by leaving events out and making waits and answers plain.
    @MainActor
    func shrunk(_ fails: @MainActor (History) -> Bool) -> History {
        var shortest = self
        var size = max(1, events.count / 2)
        while true {
            var isShorter = false
            var start = 0
            while start < shortest.events.count {
                var candidate = shortest
                candidate.events.removeSubrange(start..<min(start + size, candidate.events.count))
                if fails(candidate) { (shortest, isShorter) = (candidate, true) } else { start += size }
            }
            if size == 1, !isShorter { break }
            size = max(1, size / 2)
        }
        for candidate in [SimulatedPolicy.everyone, .firstLaunch].map({ policy in
            var history = shortest
            history.policy = policy
            return history
        }) where fails(candidate) { return candidate }
        return shortest
    }
}

extension History: CustomStringConvertible {
    /// Swift that makes the same history again.
    var description: String {
        "History(policy: .\(policy), checksAtLaunch: \(checksAtLaunch), events: [\n"
            + events.map { "    .\($0)," }.joined(separator: "\n") + "\n])"
    }
}
