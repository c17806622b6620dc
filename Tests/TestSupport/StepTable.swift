import Foundation
package import Testing

/// Which steps may follow on each step when an event happens, as a table of a page in `Contributing`.
package struct StepTable {
    /// The steps, in the order of the columns.
    private let steps: [String]
    private var next: [String: [String: Set<String>]] = [:]

    package init(steps: [String]) { self.steps = steps }

    /// Notes a step before an event, and the one after it.
    package mutating func record(_ before: String, _ event: some Any, _ after: String) {
        guard before != after else { return }
        next[name(ofCase: event), default: [:]][before, default: []].insert(after)
    }

    /// Expects the table on a page in `Contributing`.
    package func expect(on page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: root.appending(path: "Contributing/\(page)"), encoding: .utf8)
        let isThere = text.contains(markdown)
        #expect(isThere, "the table is now:\n\(markdown)", sourceLocation: sourceLocation)
    }

    /// An empty cell means that the step stays, as it does with every event that has no row.
    private var markdown: String {
        let columns = ["event"] + steps
        let rows = next.sorted { $0.key < $1.key }.map { event, cells in
            [event] + steps.map { step in steps.filter { cells[step]?.contains($0) ?? false }.joined(separator: ", ") }
        }
        return ([columns, columns.map { _ in "---" }] + rows)
            .map { "| \($0.joined(separator: " | ")) |" }
            .joined(separator: "\n")
    }
}

/// The name of an enumeration's case.
package func name(ofCase value: some Any) -> String {
    // Describing what a case has with it takes long.
    Mirror(reflecting: value).children.first?.label ?? String(describing: value)
}
