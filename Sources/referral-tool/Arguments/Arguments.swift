/// The arguments of a subcommand: options, as `--option value` or `--option=value`, and operands.
struct Arguments {
    /// The arguments that aren't options, and all arguments after `--`.
    private(set) var operands: [String] = []

    private var values: [Name: [String]] = [:]

    init(_ arguments: [String], options: [any AnyOption]) throws(ToolError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let word = Name(argument)
            if word == "--" {
                operands += rest
                break
            }
            if argument.utf8.first == ASCII.dash, word != "-" {
                try parseOption(argument, &rest, options)
            } else {
                operands.append(argument)
            }
        }
    }

    private mutating func parseOption(
        _ argument: String,
        _ rest: inout ArraySlice<String>,
        _ options: [any AnyOption]
    ) throws(ToolError) {
        let (name, inlineValue) = argument.splitAtEquals
        guard let option = options.first(where: { $0.isNamed(name) }) else {
            let suggestion = Spelling.suggestion(for: name, among: options.map(\.name))
            let hint: Sentence =
                suggestion.isEmpty ? "; write '--' before an argument that begins with '-'" : suggestion
            throw .usage("unknown option \(quoted: name)\(hint)")
        }
        guard option.repeats || !contains(option) else { throw .usage("\(name: name) is given twice") }
        var value = inlineValue ?? ""
        if option.placeholder == nil {
            if let inlineValue { throw .value(inlineValue, of: name, "it takes no value") }
        } else if inlineValue == nil {
            // The next argument is the value, even if it looks like an option, unless it is an option of this command.
            guard let next = rest.popFirst(), Name(next) != "--",
                !options.contains(where: { $0.isNamed(next.splitAtEquals.0) })
            else { throw .usage("\(name: name) needs a value, as in \(name: name)=VALUE") }
            value = next
        }
        values[Name(name), default: []].append(value)
    }

    func contains(_ option: any AnyOption) -> Bool { values[Name(option.name)] != nil }

    /// The value of an option without parsing, for an error.
    func text(of option: any AnyOption) -> String? { values[Name(option.name)]?.first }

    /// The parsed values of an option that repeats.
    func values<Value>(of option: Option<Value>) throws(ToolError) -> [Value] {
        try (values[Name(option.name)] ?? []).map { text throws(ToolError) in
            if let value = option.parse(text) { return value }
            throw .value(text, of: option, option.form)
        }
    }

    /// The parsed value of an option; `nil` if the option is missing.
    func value<Value>(of option: Option<Value>) throws(ToolError) -> Value? { try values(of: option).first }

    /// The parsed value of a required option.
    func requiredValue<Value>(of option: Option<Value>) throws(ToolError) -> Value {
        guard let value = try value(of: option) else {
            throw .usage("\(name: option.name) is missing: \(reason: option.help)")
        }
        return value
    }

    /// The parameters of `--param`, by name.
    func parameters() throws(ToolError) -> [String: String] {
        var parameters: [Name: String] = [:]
        for (key, value) in try values(of: .parameter) {
            guard parameters.updateValue(value, forKey: Name(key)) == nil else {
                throw .value("\(key)=\(value)", of: Option.parameter, "the parameter \(quoted: key) is given twice")
            }
        }
        return Dictionary(uniqueKeysWithValues: parameters.map { ($0.key.rawValue, $0.value) })
    }

    func expectNoOperands() throws(ToolError) {
        if let operand = operands.first { throw .usage("\(quoted: operand) is not expected here") }
    }
}

// MARK: - Options of several commands

private extension AnyOption {
    /// Whether it has this name. An argument may be any text, so its bytes are compared.
    func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
}

extension Option<AppID> {
    static func appID(_ help: String) -> Option {
        Option("--app-id", "ID", help, form: "an app ID has 1 to 19 digits", parse: AppID.init)
    }
}

extension Option<Timestamp> {
    static func time(_ name: String, _ help: String) -> Option {
        Option(name, "TIME", help, form: TimeText.form, parse: TimeText.time)
    }

    static let at = time("--at", "the time of the tap: now by default, Unix milliseconds, or ISO 8601 with a zone")
}

extension Option<(key: String, value: String)> {
    static let parameter = Option(
        "--param",
        "KEY=VALUE",
        "a parameter for the app; the option can be repeated",
        repeats: true,
        form: "a parameter is KEY=VALUE, such as pack=gold"
    ) { text in
        guard case (let key, let value?) = text.splitAtEquals, !key.isEmpty else { return nil }
        return (key, value)
    }
}

extension String {
    /// With one space in place of white space such as a line break.
    var onOneLine: String { replacing(/\s+/, with: " ") }

    /// The text before and after the first `=`. It splits at code points, because a `Character` may be `=` with an accent.
    var splitAtEquals: (String, String?) {
        guard let equals = utf8.firstIndex(of: ASCII.equals) else { return (self, nil) }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }
}
