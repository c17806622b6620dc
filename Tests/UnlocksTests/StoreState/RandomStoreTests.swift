import TestSupport
import Testing

/// What `handle` does with any event, in any state, in any order.
struct RandomStoreTests {
    @Test("any events in any order: nothing traps, each call is answered once, and in the end all is written")
    func anyEvents() throws {
        let catalogs = try RandomStore.catalogs()
        expectNoProblems(of: randomSeeds(100, optimized: 5_000)) { seed in
            var run = RandomStore(seed: seed, catalogs)
            run.happen(count: 150)
            run.end()
            return run.problems
        }
    }

    @Test("the journal, a list, a pass, a purchase and a restoration go on as the page of the shop says")
    func tables() throws {
        let catalogs = try RandomStore.catalogs()
        var journal = StepTable(steps: ["closed", "preparing", "opening", "backingOff", "open"])
        var kinds = [
            (
                StepTable(steps: ["none", "listing", "recording", "askingHistory", "recordingHistory", "saving"]),
                { (steps: StoreSteps) in steps.lists }
            ),
            (StepTable(steps: ["none", "listing", "recording", "finishing"]), { $0.passes }),
            (
                StepTable(steps: [
                    "none", "asking", "recording", "finishing", "asking again", "recording again",
                ]), { $0.purchases }
            ),
            (
                StepTable(steps: ["none", "opening", "syncing", "askingForApp", "savingApp", "refreshing"]),
                { $0.restorations }
            ),
        ]
        for seed in randomSeeds(100, optimized: 5_000) {
            var run = RandomStore(seed: seed, catalogs)
            run.happen(count: 100, timePasses: false) { before, event, after in
                journal.record(before.journal, event, after.journal)
                for index in kinds.indices {
                    let (old, new) = (kinds[index].1(before), kinds[index].1(after))
                    for key in Set(old.keys).union(new.keys) {
                        kinds[index].0.record(old[key] ?? "none", event, new[key] ?? "none")
                    }
                }
            }
        }
        for table in [journal] + kinds.map(\.0) { try table.expect(on: "Shop.md") }
    }
}
