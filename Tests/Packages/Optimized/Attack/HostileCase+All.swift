extension HostileCase {
    /// Runs a case for each seed before an end.
    static func all(_ world: inout World, end: UInt64, report: Report) {
        var interrupted: [(Scenario, Tree)] = []
        // Hostile packages go into a folder that is there.
        for scenario in Scenario.all(&world) where ![.recover, .send, .file, .new].contains(scenario.step) {
            interrupted += scenario.interruptions(&world).map { (scenario, $0) }
        }
        while report.seed < end {
            let seed = report.seed
            func name(_ story: [String]) -> String { "seed \(seed): \(story.joined(separator: ", "))" }
            var hostile = HostileCase(seed: seed, root: world.root) { report.begin(name($0)) }
            do {
                try hostile.run(&world, interrupted)
                report.succeeded()
            } catch {
                report.failed("\(error)", name(hostile.story))
            }
            report.seed = seed + 1
        }
    }
}
