/// An option of a subcommand. Usage, help, parsing and errors all come from its one declaration.
protocol AnyOption: Sendable {
    var name: String { get }
    /// The placeholder of the value in the help; `nil` for an option without a value.
    var placeholder: String? { get }
    var help: String { get }
    var repeats: Bool { get }
}

/// An option with a value.
final class Option<Value: Sendable>: AnyOption {
    let name: String
    let placeholder: String?
    let help: String
    let repeats: Bool
    /// Describes the valid values, for an error about an invalid one.
    let form: Sentence
    let parse: @Sendable (String) -> Value?

    init(
        _ name: String,
        _ placeholder: String,
        _ help: String,
        repeats: Bool = false,
        form: Sentence,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        (self.name, self.placeholder, self.help, self.repeats) = (name, placeholder, help, repeats)
        (self.form, self.parse) = (form, parse)
    }
}

extension Option<String> {
    /// An option that accepts any text.
    convenience init(_ name: String, _ placeholder: String, _ help: String, repeats: Bool = false) {
        self.init(name, placeholder, help, repeats: repeats, form: "", parse: { $0 })
    }
}

extension Option where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// An option that accepts one of the given words.
    convenience init(_ name: String, _ placeholder: String, _ help: String, oneOf: [Value] = Array(Value.allCases)) {
        let form: Sentence = "it must be one of \(reason: oneOf.map(\.rawValue).joined(separator: ", "))"
        self.init(name, placeholder, help, form: form) { text in
            oneOf.first { $0.rawValue.utf8.elementsEqual(text.utf8) }
        }
    }
}

/// An option without a value.
struct Flag: AnyOption {
    let name: String
    let help: String
    var placeholder: String? { nil }
    var repeats: Bool { false }

    init(_ name: String, _ help: String) {
        (self.name, self.help) = (name, help)
    }
}

/// A part of a usage line.
indirect enum Usage: Sendable {
    case required(any AnyOption)
    case optional(any AnyOption)
    /// Either the first parts or the second.
    case either([Usage], [Usage])
    /// An argument that isn't an option, as the usage line shows it, and its help.
    case operand(String, help: (name: String, text: String)?)

    static func optional(_ options: any AnyOption...) -> [Usage] { options.map(Usage.optional) }

    var options: [any AnyOption] {
        switch self {
        case .required(let option), .optional(let option): [option]
        case .either(let first, let second): (first + second).flatMap(\.options)
        case .operand: []
        }
    }
}

/// Parses the options' times and durations.
enum TimeText {
    static let form: Sentence =
        "a time is 'now', Unix milliseconds (1795224750690) or ISO 8601 with a zone (2026-11-21T09:30:00Z)"
    static let durationForm: Sentence =
        "a duration is a number with one of ms, s, m, h, d (90s, 1.5h), or a number of seconds"

    @Sendable static func time(_ text: String) -> Timestamp? {
        text == "now" ? .now : (decimal(text) ?? ISO8601.milliseconds(text)).map(Timestamp.init(milliseconds:))
    }

    /// A duration in seconds.
    @Sendable static func duration(_ text: String) -> Double? {
        let units: [String: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "": 1]
        let number = text.prefix { $0 == "." || ("0"..."9").contains($0) }
        guard let unit = units[String(text[number.endIndex...])], let count = decimal(number) else { return nil }
        return (count * unit).isFinite ? count * unit : nil
    }

    /// Digits, or digits, a point and digits.
    private static func decimal(_ text: some StringProtocol) -> Double? {
        guard text.hasForm(#"[0-9]+(\.[0-9]+)?"#) else { return nil }
        return Double(String(text)).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension StringProtocol {
    /// Whether the whole text matches a regular expression, by code points. A literal expression would take longer to compile.
    func hasForm(_ pattern: String) -> Bool {
        guard let form = try? Regex(pattern).matchingSemantics(.unicodeScalar) else { return false }
        return String(self).wholeMatch(of: form) != nil
    }
}
