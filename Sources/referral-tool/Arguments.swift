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

    /// Whether `--help` stood among the options, whatever else is wrong with them.
    private(set) var asksForHelp = false

    private var values: [String: [String]] = [:]

    /// What is wrong with them, unless they ask for help.
    private var problem: ToolError?

    init(_ arguments: [String], options: [Option]) throws(ToolError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                strings += rest
                break
            }
            if argument == "--help" || argument == "-h" {
                asksForHelp = true
            } else if argument.utf8.first == UInt8(ascii: "-"), argument != "-" {
                do { try readOption(argument, &rest, options) } catch { problem = problem ?? error }
            } else {
                strings.append(argument)
            }
        }
        if let problem, !asksForHelp { throw problem }
    }

    private mutating func readOption(
        _ argument: String,
        _ rest: inout ArraySlice<String>,
        _ options: [Option]
    ) throws(ToolError) {
        let (name, given) = argument.splitAtEquals
        guard let option = options.first(where: { $0.name == name }) else {
            let suggestion = Spelling.suggestion(for: name, among: options.map(\.name))
            let hint = suggestion.isEmpty ? "; a string that begins with '-' goes behind '--'" : suggestion
            throw .usage("unknown option \(ToolError.quoted(name))\(hint)")
        }
        let isRepeated = !option.repeats && values[name] != nil
        let value: String
        if let given {
            guard option.takesValue else { throw .value(given, of: name, "it takes no value") }
            value = given
        } else if option.takesValue {
            // Whatever it looks like it is the value, unless it is an option of this very command.
            guard let next = rest.first, next != "--", !options.contains(where: { $0.name == next.splitAtEquals.0 })
            else {
                let hint = rest.first.map { "; if '\($0)' is the value, write \(name)=\($0)" } ?? ""
                throw .usage("\(name) needs a value\(hint)")
            }
            value = rest.removeFirst()
        } else {
            value = ""
        }
        guard !isRepeated else { throw .usage("\(name) is given twice") }
        values[name, default: []].append(value)
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
        if let string = strings.first { throw .usage("\(ToolError.quoted(string)) is not expected here") }
    }
}

extension String {
    /// What stands in front of the first `=` and behind it. By code points: to `Character` an `=` with an accent behind it
    /// is another letter.
    var splitAtEquals: (String, String?) {
        guard let equals = unicodeScalars.firstIndex(of: "=") else { return (self, nil) }
        return (String(self[..<equals]), String(self[unicodeScalars.index(after: equals)...]))
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
