/// An option of a subcommand.
struct Option {
    let name: String
    let takesValue: Bool
    let repeats: Bool

    static func value(_ name: String) -> Option { Option(name: name, takesValue: true, repeats: false) }
    static func values(_ name: String) -> Option { Option(name: name, takesValue: true, repeats: true) }
    static func flag(_ name: String) -> Option { Option(name: name, takesValue: false, repeats: false) }
}

/// What stood behind a subcommand: options, `--option value` or `--option=value`, and strings.
struct Arguments {
    /// Everything that is no option, and everything behind `--`.
    private(set) var strings: [String] = []

    private var values: [String: [String]] = [:]

    init(_ arguments: [String], options: [Option]) throws(ToolError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                strings += rest
                return
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                strings.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                let suggestion = Spelling.suggestion(for: parts[0], among: options.map(\.name))
                let hint = suggestion.isEmpty ? "; a string that begins with '-' goes behind '--'" : suggestion
                throw .usage("unknown option '\(parts[0])'\(hint)")
            }
            guard option.repeats || values[option.name] == nil else { throw .usage("\(option.name) is given twice") }
            values[option.name, default: []].append(try Self.value(of: option, given: parts.dropFirst().first, &rest))
        }
    }

    private static func value(
        of option: Option,
        given: String?,
        _ rest: inout ArraySlice<String>
    ) throws(ToolError) -> String {
        guard option.takesValue else {
            if let given { throw .value(given, of: option.name, "it takes no value") }
            return ""
        }
        if let given { return given }
        guard let next = rest.first, !next.hasPrefix("--") else {
            let hint = rest.first.map { "; if '\($0)' is the value, write \(option.name)=\($0)" } ?? ""
            throw .usage("\(option.name) needs a value\(hint)")
        }
        return rest.removeFirst()
    }

    func contains(_ option: String) -> Bool { values[option] != nil }

    func all(_ option: String) -> [String] { values[option] ?? [] }

    /// An option's value as it was given.
    subscript(_ option: String) -> String? { values[option]?.first }

    /// An option's value read as something else; `nil` where the option was not given.
    func read<Value>(
        _ option: String,
        _ problem: String,
        _ parse: (String) -> Value?
    ) throws(ToolError) -> Value? {
        guard let text = self[option] else { return nil }
        guard let value = parse(text) else { throw .value(text, of: option, problem) }
        return value
    }

    func expectNoStrings() throws(ToolError) {
        if let string = strings.first { throw .usage("'\(string)' is not expected here") }
    }
}

/// Finds what a misspelt word was meant to be.
enum Spelling {
    /// `; did you mean '--referrer'?`, or nothing where no word is near.
    static func suggestion(for word: String, among words: [String]) -> String {
        let nearest = words.map { ($0, distance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
        guard let nearest, nearest.1 <= max(1, word.count / 3) else { return "" }
        return "; did you mean '\(nearest.0)'?"
    }

    /// How many letters must be put in, left out, replaced or swapped with their neighbour.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
