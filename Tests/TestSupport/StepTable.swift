import Foundation
package import Testing

/// Which steps may follow on each step when an event happens, as a table of a page in `Contributing`.
package struct StepTable {
    private struct Entry: Hashable {
        let event: String
        let before: String
        let after: String
    }

    /// The steps, in the order of the columns.
    private let steps: [String]
    /// Those that may end with any event, which have a row of their own.
    private let restless: Set<String>
    private var seen: Set<Entry> = []

    package init(steps: [String], restless: Set<String> = []) { (self.steps, self.restless) = (steps, restless) }

    /// Notes a step before an event, and the one after it.
    package mutating func record(_ before: String, _ event: some Any, _ after: String) {
        guard before != after else { return }
        let event = restless.contains(before) ? "any" : name(ofCase: event)
        seen.insert(Entry(event: event, before: before, after: after))
    }

    /// Expects that the table on a page in `Contributing` says all of this and, if the runs were optimized, at most a third more:
    /// some steps follow others once in 100,000 runs.
    package func expect(on page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "Contributing/\(page)"), encoding: .utf8)
        let said = entries(in: text)
        let all = rows(of: said.union(seen)).joined(separator: "\n")
        #expect(seen.isSubset(of: said), "the table is now:\n\(all)", sourceLocation: sourceLocation)
        let unseen = said.subtracting(seen)
        #expect(!isOptimized || unseen.count * 4 <= said.count, "\(unseen)", sourceLocation: sourceLocation)
    }

    private var header: String { row(["event"] + steps) }

    /// An empty cell means that the step stays, as it does with every event that has no row.
    private func rows(of entries: Set<Entry>) -> [String] {
        let rows = Dictionary(grouping: entries, by: \.event).sorted { $0.key < $1.key }.map { event, entries in
            let cells = steps.map { before in
                let after = entries.filter { $0.before == before }.map(\.after)
                return steps.filter(after.contains).joined(separator: ", ")
            }
            return row([event] + cells)
        }
        return [header, row(["---"] + steps.map { _ in "---" })] + rows
    }

    private func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

    /// What the table with these steps says on a page.
    private func entries(in text: String) -> Set<Entry> {
        var entries: Set<Entry> = []
        let lines = text.components(separatedBy: "\n").drop { $0 != header }.dropFirst(2).prefix { $0.hasPrefix("|") }
        for line in lines {
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for (before, steps) in zip(steps, cells.dropFirst(2)) {
                for after in steps.components(separatedBy: ", ") where !after.isEmpty {
                    entries.insert(Entry(event: cells[1], before: before, after: after))
                }
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
