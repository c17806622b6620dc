import Foundation
package import Testing

/// How much of something a test takes: a sample in the short form of the tests, and all of it in the long one.
package func samples(_ few: Int, long all: Int) -> Int { isLong ? all : few }

/// Whether this is the long form of the tests.
package let isLong = ProcessInfo.processInfo.environment["LONG_TESTS"] == "1"

/// Whether the tests are optimized, as in `Tests/Packages/Optimized`, where random runs take a tenth of the time.
package let isOptimized: Bool = {
    #if DEBUG
    false
    #else
    true
    #endif
}()

/// The seeds of random runs: a number of them from 1, or `HISTORIES` of them from `SEED`, if the environment has these.
package func randomSeeds(_ debug: UInt64, optimized: UInt64) -> Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HISTORIES"].flatMap(UInt64.init) ?? (isOptimized ? optimized : debug)
    let first = environment["SEED"].flatMap(UInt64.init) ?? 1
    return first..<first + count
}

/// Records the problems of the first seed that has any.
package func expectNoProblems(
    of seeds: Range<UInt64>,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ problems: (UInt64) -> [String]
) {
    for seed in seeds {
        let found = problems(seed)
        guard !found.isEmpty else { continue }
        Issue.record("seed \(seed): \(found.joined(separator: "; "))", sourceLocation: sourceLocation)
        return
    }
}

/// A shorter history on which the same holds, found by leaving events out.
package func shrunk<History, Event>(
    _ history: History,
    _ events: WritableKeyPath<History, [Event]>,
    _ fails: (History) -> Bool
) -> History {
    var (shortest, index) = (history, 0)
    while index < shortest[keyPath: events].count {
        var candidate = shortest
        candidate[keyPath: events].remove(at: index)
        // What could be left out before may need what is left out now, so it begins again.
        if fails(candidate) { (shortest, index) = (candidate, 0) } else { index += 1 }
    }
    return shortest
}
