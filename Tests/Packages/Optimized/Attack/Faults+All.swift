import Calls
import Glibc

extension Faults {
    /// Every call of every step fails, in every way or in one. While an installation is completed, in one way, from one state in
    /// eight or in 40.
    static func single(_ world: inout World, seed: UInt64, _ report: Report) {
        var (faults, chance) = (Faults(world), Chance(seed: seed))
        var counts: [String] = []
        for scenario in Scenario.all(&faults.world) {
            if scenario.step == .recover, !chance.once(in: 8) { continue }
            let count = faults.count(scenario)
            for first in 1...max(1, count) {
                let ways = scenario.step == .recover ? [chance.pick(errors)] : errors
                let calls = ways.map { error in
                    faults.run(scenario, Fault(first: first, error: error), report)
                    return faults.isRepeated(first, in: count) ? count : faults.calls
                }
                if Set(calls).subtracting([count]).count > 1 {
                    report.failed(
                        "\(scenario.step): the error makes a difference",
                        "at call \(first) (\(faults.places))"
                    )
                }
            }
            if scenario.step != .recover { counts.append("\(scenario.step) \(count)") }
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
            let fault = Fault(
                first: first,
                error: chance.pick(errors),
                second: second,
                secondError: chance.pick(errors)
            )
            faults.run(scenarios[index], fault, report, "seed \(seed): ")
            report.seed = seed + 1
        }
        world = faults.world
    }

    /// Whether a call that failed was made again at once, and all others as without the fault.
    private func isRepeated(_ first: Int, in count: Int) -> Bool {
        calls == count + 1
            && String(cString: calls_description(first)) == String(cString: calls_description(first + 1))
    }

    /// How many calls a step makes.
    private mutating func count(_ scenario: Scenario) -> Int {
        run(scenario, Fault(first: .max, error: 0))
        return calls
    }

    private mutating func run(_ scenario: Scenario, _ fault: Fault, _ report: Report, _ name: String = "") {
        report.begin("\(name)\(scenario.step), \(fault)")
        let broken = run(scenario, fault)
        if let broken { report.failed("\(scenario.step): \(broken)", "\(name)\(fault) (\(places))") }
        report.succeeded()
    }
}
