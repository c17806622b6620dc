import ReferralFoundation

/// A value in a catalog: the catalog itself, a member of an object, or an element of a list. Each function reads it in one form, or
/// throws what it must be.
final class CatalogValue {
    /// Its path, such as `items[3].files[1].url`; empty for the catalog.
    private let path: String
    /// `nil` for a missing member.
    private let json: JSONValue?
    /// The value that an error points at: this one, its name, or the object in which it is missing.
    private let place: JSONValue
    /// Of a repeated member, the last one counts.
    private var members: [Name: (name: JSONValue, value: JSONValue)] = [:]

    init(_ json: JSONValue?, at path: String, _ place: JSONValue) {
        (self.json, self.path, self.place) = (json, path, place)
        for member in json?.members ?? [] { members[Name(member.name.content)] = member }
    }

    /// A member of an object. One that is `null` counts as missing.
    subscript(name: String) -> CatalogValue {
        let member = members[Name(name)]
        let value = member.flatMap { $0.value.isNull ? nil : $0.value }
        return CatalogValue(value, at: path.isEmpty ? name : "\(path).\(name)", member?.name ?? json ?? place)
    }

    /// The value; `nil` for a missing member.
    var given: CatalogValue? { json == nil ? nil : self }

    func wrong(_ requirement: String) -> WrongMember {
        let problem = (json == nil ? "is missing; it must be " : "must be ") + requirement
        return WrongMember(path: path, offset: place.range.lowerBound, problem: problem)
    }
}

// MARK: - Texts and numbers

extension CatalogValue {
    func bool() throws(WrongMember) -> Bool {
        guard let bool = json?.bool else { throw wrong("true or false") }
        return bool
    }

    func number(_ range: ClosedRange<Int>, _ requirement: String? = nil) throws(WrongMember) -> Int {
        guard let number = json?.wholeNumber(in: range) else {
            let (least, most) = (range.lowerBound, range.upperBound)
            let limits = most == .max ? "of at least \(least)" : "from \(least) to \(most)"
            throw wrong(requirement ?? "a whole number \(limits)")
        }
        return number
    }

    /// The amount of an unlock that an item or a reward gives.
    func amount() throws(WrongMember) -> Int { try number(1...1_000_000) }

    func text<Value>(_ requirement: String, _ read: (String) -> Value?) throws(WrongMember) -> Value {
        guard let value = json?.string.flatMap(read) else { throw wrong(requirement) }
        return value
    }

    func text() throws(WrongMember) -> String { try text("a text") { $0 } }

    func name() throws(WrongMember) -> String {
        try text("a text of 1 to \(Name.maximumLength) bytes") { $0.isName ? $0 : nil }
    }

    func id<Kind>() throws(WrongMember) -> Identifier<Kind> { Identifier(try name()) }

    /// One of some words, compared by their bytes.
    func word<Word: CaseIterable & RawRepresentable<String>>() throws(WrongMember) -> Word {
        let words = Word.allCases.map { "\"\($0.rawValue)\"" }
        let requirement = words.dropLast().joined(separator: ", ") + words.suffix(1).map { " or " + $0 }.joined()
        return try text(requirement) { text in Word.allCases.first { Name($0.rawValue) == Name(text) } }
    }

    func version() throws(WrongMember) -> String {
        try text("a version of 1 to 8 numbers separated by dots, such as \"2.1\"") {
            VersionNumber($0) == nil ? nil : $0
        }
    }

    func date() throws(WrongMember) -> Date {
        try text("a time such as \"2026-11-21T00:00:00Z\"") { text in
            ISO8601.milliseconds(text).map { Date(timeIntervalSince1970: $0 / 1_000) }
        }
    }

    func address() throws(WrongMember) -> URL { try text("an https address", Self.url) }

    /// An absolute address with the scheme `https`, in any letter case, and a host.
    static func url(_ text: String) -> URL? {
        let isSafe = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        let url = isSafe ? PercentEncoding.encodeAddress(text).flatMap { URL(string: $0) } : nil
        return url?.scheme?.lowercased() == "https" && url?.host?.isEmpty == false ? url : nil
    }
}

// MARK: - Lists and objects

extension CatalogValue {
    /// The elements of a list, each read by a function.
    func list<Element>(
        _ counts: ClosedRange<Int> = 0...Int.max,
        _ requirement: String = "a list",
        of read: (CatalogValue) throws(WrongMember) -> Element
    ) throws(WrongMember) -> [Element] {
        guard let values = json?.array, counts.contains(values.count) else { throw wrong(requirement) }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            elements.append(try read(CatalogValue(value, at: "\(path)[\(index)]", value)))
        }
        return elements
    }

    func ids<Kind>(_ counts: ClosedRange<Int> = 0...Int.max) throws(WrongMember) -> [Identifier<Kind>] {
        let requirement = counts.upperBound == 1 ? "a list of one name" : "a list of names"
        return try list(counts, requirement) { name throws(WrongMember) in try name.id() }
    }

    /// The object itself, or an error if it isn't one.
    func object(_ requirement: String = "an object") throws(WrongMember) -> CatalogValue {
        guard json?.isObject == true else { throw wrong(requirement) }
        return self
    }

    /// An object with a text for each language.
    func byLanguage<Text>(
        of read: (CatalogValue) throws(WrongMember) -> Text
    ) throws(WrongMember) -> Localized<Text> {
        guard let members = json?.members, members.allSatisfy(\.name.content.isName) else {
            throw wrong("an object whose members are languages")
        }
        var texts: [(Name, Text)] = []
        for (name, value) in members {
            let text = CatalogValue(value, at: "\(path).\(name.content.shown)", name)
            texts.append((Name(name.content), try read(text)))
        }
        return Localized(texts)
    }

    /// A text for every language, or one for each.
    func about() throws(WrongMember) -> Localized<String> {
        func text(_ value: CatalogValue) throws(WrongMember) -> String {
            try value.text("a text that isn't empty") { $0.isEmpty ? nil : $0 }
        }
        return json?.isObject == true ? try byLanguage(of: text) : Localized([("", try text(self))])
    }
}
