import UnlockCatalog

/// The note on columns and options without an effect on the links.
struct IgnoredNote {
    /// The maximum number of names in a line.
    private static let maximumCount = 8

    /// Other names that are often used for columns.
    private static let synonyms: [Name: PageParts.Part] = ["campaign": .ct, "provider": .pt]

    /// The ignored options, such as `--ct` with a landing page.
    let options: [String]
    /// The ignored columns, or members of JSON lines.
    let names: [Name]
    let isMember: Bool
    /// The columns that the links use.
    let used: [Name]
    let roles: LinkRoles

    /// The note; `nil` if nothing is ignored.
    var text: Sentence? {
        var groups: [Sentence] = options.map { "\(name: $0)" }
        let names = named
        if !names.isEmpty {
            let columns = names.map { (name: $0, suggestion: suggestion(for: $0)) }
            // The misspelled ones first, since they matter most.
            let ordered = columns.filter { $0.suggestion != nil } + columns.filter { $0.suggestion == nil }
            let shown = ordered.map {
                Columns.shown($0.name) + ($0.suggestion.map { " (did you mean \(quoted: $0)?)" } ?? "")
            }
            let noun: Sentence = (isMember ? "member" : "column") + (names.count == 1 ? "" : "s")
            groups.append("the \(noun) \(Self.list(shown))")
        }
        guard !groups.isEmpty else { return nil }
        let verb: Sentence = options.count + names.count == 1 ? "has" : "have"
        let isOfPage = !options.isEmpty || names.contains { PageParts.Part(Columns.key($0)) != nil }
        let hasToken = options.contains(PageParts.Part.ct.option.name) || names.contains { Columns.key($0) == "ct" }
        let remedy: Sentence = hasToken ? "; made with --ct-from-referrer, it counts each referrer as a ct" : ""
        let reason: Sentence = isOfPage ? ": the landing page has its own link to the App Store\(remedy)" : ""
        return "\(Self.list(groups)) \(verb) no effect on the links\(reason)"
    }

    /// The names without repetitions, and without columns that have none.
    private var named: [Name] {
        var seen: Set<Name> = []
        return names.filter { !Columns.key($0).rawValue.isEmpty && seen.insert($0).inserted }
    }

    /// `a, b and c`.
    private static func list(_ names: [Sentence]) -> Sentence {
        let isLong = names.count > maximumCount
        let shown = isLong ? names.prefix(maximumCount) + ["others"] : names[...]
        return shown.dropLast().joined(separator: ", ") + (shown.count > 1 ? " and " : "") + (shown.last ?? "")
    }

    /// The column that was probably meant, unless the table also has that column.
    private func suggestion(for name: Name) -> String? {
        guard name.rawValue.utf8.count <= Spelling.maximumLength else { return nil }
        let visible = name.rawValue.unicodeScalars.filter { !Columns.isInvisible($0) }.map { String($0) }.joined()
        let word = Columns.key(Name(visible))
        var columns = [roles.referrerKey.rawValue]
        if roles.target == .store { columns += PageParts.Part.allCases.map(\.rawValue) }
        let column =
            parameterColumn(for: name.rawValue)
            ?? Self.synonyms[word].flatMap { columns.contains($0.rawValue) ? $0.rawValue : nil }
            ?? Spelling.nearest(to: word.rawValue, among: columns)
        return column == Columns.key(name).rawValue || column.map({ used.contains(Name($0)) }) == true ? nil : column
    }

    /// `param.board` for `param_board` or `Params: board`, and the form of a parameter's column for `params`.
    private func parameterColumn(for name: String) -> String? {
        let head = name.prefix { $0.isLetter }.lowercased()
        let key = name.drop { $0.isLetter }.drop { !$0.isLetter && !$0.isNumber }
        let isParameter = head.hasPrefix("parameter") || Spelling.nearest(to: head, among: ["param"]) != nil
        guard isParameter else { return nil }
        return key.isEmpty && isMember ? "parameters" : "param.\(key.isEmpty ? "KEY" : key)"
    }
}
