import Foundation
package import Testing

/// Which steps may follow on each step when an event happens, as a table of a page in `Contributing`.
package struct StepTable {
    /// The steps, in the order of the columns.
    private let steps: [String]
    /// Those that may end with any event, which are in the first row.
    private let restless: Set<String>
    private var next: [String: [String: Set<String>]] = [:]

    package init(steps: [String], restless: Set<String> = []) { (self.steps, self.restless) = (steps, restless) }

    /// Notes a step before an event, and the one after it.
    package mutating func record(_ before: String, _ event: some Any, _ after: String) {
        guard before != after else { return }
        let row = restless.contains(before) ? "any" : name(ofCase: event)
        next[row, default: [:]][before, default: []].insert(after)
    }

    /// Expects that the table on a page in `Contributing` says all of this and, if the runs were optimized, at most a third more:
    /// some steps follow others once in 100,000 runs.
    package func expect(on page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "Contributing/\(page)"), encoding: .utf8)
        let lines = text.split(separator: "\n").drop { $0 != rows[0] }.prefix { $0.hasPrefix("|") }.map(String.init)
        let (seen, said) = (Self.entries(rows), Self.entries(lines))
        let (new, old) = (seen.subtracting(said), said.subtracting(seen))
        #expect(new.isEmpty, "the table is now:\n\(rows.joined(separator: "\n"))", sourceLocation: sourceLocation)
        #expect(!isOptimized || old.count * 4 <= said.count, "not seen: \(old)", sourceLocation: sourceLocation)
    }

    /// An empty cell means that the step stays, as it does with every event that has no row.
    private var rows: [String] {
        let columns = ["event"] + steps
        let rows = next.sorted { $0.key < $1.key }.map { event, cells in
            [event] + steps.map { step in steps.filter { cells[step]?.contains($0) ?? false }.joined(separator: ", ") }
        }
        return ([columns, columns.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }
    }

    /// What the rows of a table say: an event, the step before it and one after it.
    private static func entries(_ rows: [String]) -> Set<[String]> {
        let cells = rows.map { row in row.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        guard let steps = cells.first else { return [] }
        var entries: Set<[String]> = []
        for row in cells.dropFirst(2) {
            for (step, next) in zip(steps, row).dropFirst(2) where !next.isEmpty {
                for name in next.components(separatedBy: ", ") { entries.insert([row[1], step, name]) }
            }
        }
        return entries
    }
}

/// The name of an enumeration's case.
package func name(ofCase value: some Any) -> String {
    // Describing what a case has with it takes long.
    Mirror(reflecting: value).children.first?.label ?? String(describing: value)
}
