/// JSON as `decode --json` prints it: members in the order given, nothing raw that a terminal would obey.
enum JSONText {
    static func object(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { string($0.name) + ":" + $0.value }.joined(separator: ",") + "}"
    }

    /// An object of strings, sorted as a payload is.
    static func strings(_ members: [String: String]) -> String {
        let sorted = members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        return object(sorted.map { ($0.key, string($0.value)) })
    }

    static func array(_ values: [String]) -> String {
        "[" + values.joined(separator: ",") + "]"
    }

    static func string(_ text: String) -> String {
        let quoted = text.unicodeScalars.reduce(into: "") { quoted, scalar in
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return "\""
            + TerminalText.escaped(quoted) { code in
                let digits = String(code, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } + "\""
    }

    /// A number without a point where it is whole.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }
}
