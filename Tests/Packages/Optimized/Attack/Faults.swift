import Calls
import DataHandoff
import Foundation

/// Lets calls fail, one or two in a step, and checks what that leads to.
@MainActor
struct Faults {
    static let errors = [EIO, ENOSPC, EACCES, EMFILE, EINTR]

    struct Fault: CustomStringConvertible {
        var first: Int
        var error: Int32
        /// Counted from the first; 0 without a second.
        var second = 0
        var secondError: Int32 = 0

        var description: String {
            let one = "error \(error) at call \(first)"
            return second == 0 ? one : one + " and error \(secondError) \(second) calls later"
        }
    }

    var world: World
    /// Where the calls failed in the latest run.
    private(set) var places = ""
    /// How many calls it made.
    private(set) var calls = 0
    /// What the checks found, by the hash value of the end.
    private var verdicts: [Int: Broken?] = [:]

    init(_ world: World) { self.world = world }

    /// All that the checks depend on, so that the same end is checked once.
    private struct End: Hashable {
        let step: Scenario.Step
        let apps: Apps
        let disk: Tree
        let hasFailed: Bool
        let hasReceipts: Bool
        let isSingle: Bool
    }

    /// Runs a step with faults.
    ///
    /// - Returns: The promise that was broken, if all faults took place.
    @discardableResult
    mutating func run(_ scenario: Scenario, _ fault: Fault) -> Broken? {
        world.load(scenario.beginning)
        let answer = scenario.prepare()
        calls_fail(fault.first, fault.error, fault.second, fault.secondError)
        calls_start(world.root)
        let result = scenario.run(answer)
        calls = calls_stop()
        calls_fail(0, 0, 0, 0)
        world.look()
        let failed = calls_number_failed()
        guard failed == (fault.second == 0 ? 1 : 2) else { return nil }
        places = String(cString: calls_description(fault.first))
        if fault.second > 0 { places += ", " + String(cString: calls_description(fault.first + fault.second)) }
        return verdict(scenario, result, isSingle: fault.second == 0)
    }

    // MARK: Checking

    /// The promise that a step has broken.
    private mutating func verdict(
        _ scenario: Scenario,
        _ result: Result<Scenario.Outcome, any Error>,
        isSingle: Bool
    ) -> Broken? {
        var (hasFailed, hasReceipts) = (false, false)
        switch result {
        case .failure(HandoffError.appFailed(let reason)) where reason.hasPrefix("merge saw"): return Broken(reason)
        case .failure: hasFailed = true
        case .success(.receipts(let receipts)): hasReceipts = !receipts.isEmpty
        case .success: break
        }
        let end = End(
            step: scenario.step,
            apps: scenario.apps,
            disk: world.current.ended,
            hasFailed: hasFailed,
            hasReceipts: hasReceipts,
            isSingle: isSingle
        )
        if let known = verdicts[end.hashValue] { return known }
        var broken: Broken?
        do {
            try check(scenario, result, isSingle: isSingle)
        } catch {
            broken = error as? Broken ?? Broken("\(error)")
        }
        verdicts[end.hashValue] = .some(broken)
        return broken
    }

    private mutating func check(
        _ scenario: Scenario,
        _ result: Result<Scenario.Outcome, any Error>,
        isSingle: Bool
    ) throws {
        switch scenario.step {
        case .send: try checkSent(scenario, result)
        case .file: try checkFile(scenario, result)
        case .merge: try checkMerged(scenario, result)
        case .install, .add, .new, .volume, .recover, .group, .link:
            try checkInstalled(scenario, result, isSingle: isSingle)
        }
    }

    private mutating func checkInstalled(
        _ scenario: Scenario,
        _ result: Result<Scenario.Outcome, any Error>,
        isSingle: Bool
    ) throws {
        try checkAround(scenario)
        let first = scenario.state(world.current)
        switch result {
        case .success(.receipts(let receipts)):
            if scenario.step != .recover || !receipts.isEmpty {
                guard first == .new else { throw Broken("there is a receipt, but \(first)") }
            }
        case .success: break
        case .failure(let error):
            // A second fault may keep the first one from being undone, and so may one that recovering meets.
            guard first == .old || !isSingle || scenario.step == .recover else {
                throw Broken("it threw \(error), but \(first)")
            }
        }
        try checkReceipts(scenario, first)

        let second = try recover(scenario)
        if case .success(.receipts(let receipts)) = result, !receipts.isEmpty, second != .new {
            throw Broken("there was a receipt, but after recovering \(second)")
        }
        if case .failure(let error) = result, isSingle, scenario.step != .recover, second != .old {
            throw Broken("it threw \(error), but after recovering \(second)")
        }
        guard second == .old, scenario.step != .recover else { return }
        // It can be tried again.
        let again = scenario.run(scenario.prepare())
        guard case .success = again else { throw Broken("it can't be tried again: \(again)") }
        world.look()
        guard scenario.state(world.current) == .new else {
            throw Broken("tried again, \(scenario.state(world.current))")
        }
        guard try recover(scenario) == .new else {
            throw Broken("tried again and recovered, \(scenario.state(world.current))")
        }
    }

    /// Recovers at the next launch, without faults.
    private mutating func recover(_ scenario: Scenario) throws -> Scenario.Installed {
        scenario.apps.endProcess(&world)
        let receipts = scenario.apps.recover()
        world.look()
        let found = scenario.state(world.current)
        switch receipts {
        case .failure(let error): throw Broken("it can't recover: \(error)")
        case .success(let receipts):
            guard found == .new || found == .old else { throw Broken("after recovering \(found)") }
            guard receipts.isEmpty || found == .new else { throw Broken("a receipt after recovering, but \(found)") }
            for receipt in receipts {
                do { try receipt.finish() } catch { throw Broken("a receipt can't be finished: \(error)") }
            }
        }
        world.look()
        try checkAround(scenario)
        guard scenario.state(world.current) == found else {
            throw Broken("after finishing \(scenario.state(world.current)), not \(found)")
        }
        try checkReceipts(scenario, found)
        try checkNothingLeft(scenario)
        return found
    }
}
