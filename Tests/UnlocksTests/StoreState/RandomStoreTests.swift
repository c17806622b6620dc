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
}
