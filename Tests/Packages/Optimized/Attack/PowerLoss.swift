import Calls
import DataHandoff
import Foundation

/// Loses power at every moment of a step, with what wasn't flushed then.
@MainActor
struct PowerLoss {
    var world: World
    private var chance = Chance(seed: 0)

    init(_ world: World) { self.world = world }

    /// A step as it was recorded.
    private struct Recording {
        let scenario: Scenario
        let disk: Disk
        let changes: [Disk.Change]
        /// From here on the step has succeeded, with this.
        let returned: Int
        let found: Scenario.Installed
    }

    /// Runs so many cases, from a seed.
    static func all(_ world: inout World, end: UInt64, report: Report) {
        var power = PowerLoss(world)
        var recordings: [Recording] = []
        let scenarios = Scenario.all(&power.world)
        for scenario in scenarios where ![.merge, .file, .link].contains(scenario.step) {
            recordings.append(power.record(scenario))
        }
        let steps = recordings.filter { $0.scenario.step != .recover }
        print("changes: " + steps.map { "\($0.scenario.step) \($0.changes.count)" }.joined(separator: ", "))
        while report.seed < end {
            let seed = report.seed
            report.begin("seed \(seed)")
            power.chance = Chance(seed: seed)
            let recording = power.chance.pick(recordings)
            let moment = power.chance.number(0..<recording.changes.count + 1)
            do {
                try power.run(recording, moment)
                report.succeeded()
            } catch {
                report.failed(
                    "\(recording.scenario.step): \(error)",
                    "seed \(seed): at \(moment) of \(recording.changes.count)"
                )
            }
            report.seed = seed + 1
        }
        world = power.world
    }

    private mutating func record(_ scenario: Scenario) -> Recording {
        world.load(scenario.beginning)
        if scenario.step == .recover { scenario.apps.endProcess(&world) }
        let disk = Recorder.disk(at: world.root)
        let recorder = Recorder.shared
        recorder.start(world.root)
        let result = scenario.run(nil)
        let returned = recorder.changes.count
        calls_pause(1)
        let found = scenario.state(Tree(at: world.root))
        calls_pause(0)
        if case .success(.receipts(let receipts)) = result {
            for receipt in receipts { try? receipt.finish() }
        }
        recorder.stop()
        world.look()
        guard case .success = result else { fatalError("\(scenario.step) fails: \(result)") }
        return Recording(scenario: scenario, disk: disk, changes: recorder.changes, returned: returned, found: found)
    }

    private mutating func run(_ recording: Recording, _ moment: Int) throws {
        var disk = loss(recording.disk, Array(recording.changes.prefix(moment)))
        let scenario = recording.scenario
        world.load(disk.tree)
        scenario.apps.endProcess(&world)
        let hasReturned = moment >= recording.returned && (recording.found == .new || scenario.step == .send)
        if scenario.step == .send { return try checkSent(scenario, hasReturned) }
        if chance.once(in: 4) {
            // Power is lost again, while the app recovers.
            disk = Recorder.disk(at: world.root)
            Recorder.shared.start(world.root)
            let result = scenario.apps.recover()
            if case .success(let receipts) = result { for receipt in receipts { try? receipt.finish() } }
            Recorder.shared.stop()
            world.look()
            let changes = Recorder.shared.changes
            world.load(loss(disk, Array(changes.prefix(chance.number(0..<changes.count + 1)))).tree)
            scenario.apps.endProcess(&world)
        }
        try check(scenario, hasReturned)
    }

    /// Chooses what reaches the disk.
    private mutating func loss(_ disk: Disk, _ changes: [Disk.Change]) -> Disk {
        var chance = chance
        let way = chance.number(0..<5)
        // One folder or file is ahead of the others, or behind them.
        let numbers = Set(changes.flatMap { $0.folders + ($0.file.map { [$0] } ?? []) }).sorted()
        let special = numbers.isEmpty ? 0 : chance.pick(numbers)
        let after = disk.afterLoss(changes) { number, count in
            switch way {
            case 0: 0
            case 1: number == special ? 0 : count
            case 2: number == special ? count : 0
            default: chance.number(0..<count + 1)
            }
        } tears: { count in
            chance.once(in: 2) ? count : chance.number(0..<count + 1)
        }
        self.chance = chance
        return after
    }

    private mutating func check(_ scenario: Scenario, _ hasReturned: Bool) throws {
        let apps = scenario.apps
        let receipts: [HandoffReceipt]
        do { receipts = try apps.recover().get() } catch {
            throw Broken("it can't recover: \(error)")
        }
        world.look()
        let found = scenario.state(world.current)
        guard found == .new || found == .old && !hasReturned else { throw Broken("after recovering, \(found)") }
        guard receipts.isEmpty || found == .new else { throw Broken("a receipt, but \(found)") }
        for receipt in receipts { try receipt.finish() }
        world.look()
        guard scenario.state(world.current) == found else {
            throw Broken("after finishing, \(scenario.state(world.current))")
        }
        try Faults(world).checkAround(scenario)
        try Faults(world).checkNothingLeft(scenario)
    }

    private mutating func checkSent(_ scenario: Scenario, _ hasReturned: Bool) throws {
        let count = try Faults(world).checkPackages(scenario)
        guard count == 1 || !hasReturned && count == 0 else { throw Broken("\(count) packages after sending one") }
    }
}
