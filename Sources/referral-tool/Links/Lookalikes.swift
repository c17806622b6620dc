/// Names that look alike: they differ only by letter case, white space, composition or invisible characters.
enum Lookalikes {
    /// The number of a table's lines that are compared.
    static let maximumLines = 20_000
    static let difference = "differ only by letter case, white space, composition or invisible characters"

    /// A group of names, each with a text that people can tell from the others.
    typealias Group = [(name: Name, text: String)]

    static func groups(_ names: some Sequence<String>) -> [Group] {
        Dictionary(grouping: Set(names.map { Name($0) })) { key($0.rawValue) }.values.filter { $0.count > 1 }.map(apart)
            .sorted { $0[0].name < $1[0].name }
    }

    /// The names of a group, such as `'Anna' and 'anna'`.
    static func list(_ group: Group) -> String { group.prefix(8).map { "'\($0.text)'" }.joined(separator: " and ") }

    /// What names that look alike have in common. Swift compares strings by canonical equivalence.
    static func key(_ name: String) -> String {
        // Most names are their own key.
        if name.utf8.allSatisfy({ 0x21..<0x7F ~= $0 && ASCII.lowercased($0) == $0 }) { return name }
        let visible = name.unicodeScalars.filter { !isInvisible($0) && $0 != " " }
        return FileNames.folded(String(String.UnicodeScalarView(visible)))
    }

    /// The keys of the names that somebody may have meant by one with something around it: without what isn't a letter or a digit at its
    /// ends, before the first mark, before a letter of a script that is written without spaces, and without `3D` from the source of a mail.
    static func inner(_ name: String) -> [String] {
        func isMark(_ character: Character) -> Bool { !character.isLetter && !character.isNumber }
        let start = name.drop(while: isMark)
        let isOtherLetter = { (character: Character) in
            character.unicodeScalars.first?.properties.generalCategory == .otherLetter
        }
        let parts: [Substring] = [
            start, start.prefix { !isMark($0) || "-_.~@+ ".contains($0) }, start.prefix { !isOtherLetter($0) },
            start.hasPrefix("3D") ? start.dropFirst(2) : "",
        ]
        return parts.map { key(String($0.reversed().drop(while: isMark).reversed())) }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isDefaultIgnorableCodePoint || properties.isWhitespace && scalar != " " || scalar.isControl
    }

    /// Names with escapes for what nobody sees. Of those that still look the same, the shortest one, which is composed, stays as it is,
    /// and the others have escapes for everything beyond ASCII.
    private static func apart(_ names: [Name]) -> Group {
        func count(_ name: Name, _ isCounted: (Unicode.Scalar) -> Bool = { _ in true }) -> Int {
            name.rawValue.unicodeScalars.count(where: isCounted)
        }
        let hasOtherSpaces = Set(names.map { count($0) { $0 == " " } }).count > 1
        var seen: Set<String> = []
        return names.sorted { (count($0), $0) < (count($1), $1) }.map { name in
            let isHidden = { (scalar: Unicode.Scalar) in isInvisible(scalar) || hasOtherSpaces && scalar == " " }
            let visible = name.rawValue.shown(upTo: .max, escaping: isHidden)
            if seen.insert(visible).inserted { return (name, visible) }
            return (name, name.rawValue.shown(upTo: .max) { isHidden($0) || !$0.isASCII })
        }
    }
}
