extension Faults {
    /// Every call of every step fails in every way. While an installation is completed, in one way, from one state in eight.
    static func single(_ world: inout World, seed: UInt64, _ report: Report) {
        var (faults, chance) = (Faults(world), Chance(seed: seed))
        var counts: [String] = []
        for scenario in Scenario.all(&faults.world) {
            if scenario.step == .recover, !chance.once(in: 8) { continue }
            var calls = 1
            for error in scenario.step == .recover ? [chance.pick(errors)] : errors {
                var first = 1
                while faults.run(scenario, Fault(first: first, error: error), report) { first += 1 }
                calls = first - 1
            }
            if scenario.step != .recover { counts.append("\(scenario.step) \(calls)") }
        }
        print("calls: " + counts.joined(separator: ", "))
        world = faults.world
    }

    /// Pairs of calls fail, one pair for each seed before an end; most of them close to each other.
    static func pairs(_ world: inout World, end: UInt64, _ report: Report) {
        var faults = Faults(world)
        let scenarios = Scenario.all(&faults.world)
        var calls: [Int: Int] = [:]
        while report.seed < end {
            let seed = report.seed
            var chance = Chance(seed: seed)
            let isRecovering = chance.once(in: 4)
            let choices = scenarios.indices.filter { (scenarios[$0].step == .recover) == isRecovering }
            let index = chance.pick(choices)
            let count = calls[index] ?? faults.count(scenarios[index])
            calls[index] = count
            let first = chance.number(1..<max(2, count + 1))
            let second = chance.number(1..<(chance.once(in: 4) ? max(2, count) : 40))
            let fault = Fault(first, chance.pick(errors), second, chance.pick(errors))
            _ = faults.run(scenarios[index], fault, report, "seed \(seed): ")
            report.seed = seed + 1
        }
        world = faults.world
    }

    /// Every pair of calls of a step fails, each in two of the ways.
    static func every(_ world: inout World, _ step: Scenario.Step, seed: UInt64, _ report: Report) {
        var (faults, chance) = (Faults(world), Chance(seed: seed))
        for scenario in Scenario.all(&faults.world) where scenario.step == step {
            for first in 1...max(1, faults.count(scenario)) {
                var second = 1
                while faults.run(scenario, Fault(first, chance.pick(errors), second, chance.pick(errors)), report) {
                    second += 1
                }
            }
        }
        world = faults.world
    }

    /// How many calls a step makes.
    private mutating func count(_ scenario: Scenario) -> Int {
        _ = run(scenario, Fault(first: .max, error: 0))
        return calls
    }

    /// - Returns: Whether the faults took place.
    private mutating func run(_ scenario: Scenario, _ fault: Fault, _ report: Report, _ name: String = "") -> Bool {
        report.begin("\(name)\(scenario.step), \(fault)")
        let (tookPlace, broken) = run(scenario, fault)
        guard tookPlace else {
            report.succeeded()
            return false
        }
        if let broken {
            report.failed("\(scenario.step): \(broken)", "\(name)\(fault) (\(places))")
        } else {
            report.succeeded()
        }
        return true
    }
}
