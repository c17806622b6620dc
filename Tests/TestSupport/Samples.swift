import Foundation
package import Testing

/// How much of something a test takes: a sample in the short form of the tests, and all of it in the long one.
package func samples(_ few: Int, long all: Int) -> Int { isLong ? all : few }

private let isLong = ProcessInfo.processInfo.environment["LONG_TESTS"] == "1"

/// Records the problems of the first seed that has any: 400 seeds in the short form of the tests, and 2,000 in the long one.
package func expectNoProblems(
    sourceLocation: SourceLocation = #_sourceLocation,
    ofSeed problems: (UInt64) -> [String]
) {
    for seed in 0..<UInt64(samples(400, long: 2_000)) {
        let found = problems(seed)
        guard !found.isEmpty else { continue }
        Issue.record("seed \(seed): \(found.joined(separator: "; "))", sourceLocation: sourceLocation)
        return
    }
}
