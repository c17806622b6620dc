import ReferralFoundation

/// A value in a catalog: an entry, a member of an object, or an element of a list. Each function reads it in one form, or throws
/// what it must be.
struct CatalogValue {
    /// Its path in the entry, such as `files[1].url`; empty for the entry.
    private let path: String
    /// `nil` for a missing member.
    private let json: JSONValue?
    /// The value that an error points at: this one, its name, or the object in which it is missing.
    private let place: JSONValue
    /// Of a repeated member, the last one counts.
    private var members: [Name: (name: JSONValue, value: JSONValue)] = [:]

    init(_ json: JSONValue?, at path: String = "", _ place: JSONValue) {
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

    func wrong(_ requirement: String) -> WrongMember { WrongMember(path, isMissing: json == nil, place, requirement) }
}

// MARK: - Texts and numbers

extension CatalogValue {
    func bool() throws(WrongMember) -> Bool {
        guard let bool = json?.bool else { throw wrong("true or false") }
        return bool
    }

    func number(_ range: ClosedRange<Int>, _ requirement: String? = nil) throws(WrongMember) -> Int {
        guard let number = json?.wholeNumber(in: range) else {
            throw wrong(requirement ?? "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func number(atLeast least: Int) throws(WrongMember) -> Int {
        try number(least...Int.max, "a whole number of at least \(least)")
    }

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

    func digest() throws(WrongMember) -> String {
        try text("64 hexadecimal digits in lower case") { digest in
            let isLowercase = digest.utf8.allSatisfy { ASCII.hexadecimalValue($0) != nil && $0 | 0x20 == $0 }
            return isLowercase && digest.utf8.count == 64 ? digest : nil
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
        let isUnsafe = text.unicodeScalars.contains {
            $0.properties.isWhitespace || $0.properties.generalCategory == .control
        }
        let address = WebAddress(text)
        guard address.scheme?.lowercased() == "https", address.authority != nil, !isUnsafe,
            let url = PercentEncoding.encodeAddress(text).flatMap({ URL(string: $0) }), url.host?.isEmpty == false
        else { return nil }
        return url
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

    func names(_ counts: ClosedRange<Int> = 0...Int.max, _ requirement: String = "a list") throws(WrongMember)
        -> [String]
    {
        func name(_ value: CatalogValue) throws(WrongMember) -> String { try value.name() }
        return try list(counts, requirement, of: name)
    }

    /// The entries of a list, each with a path of its own.
    func entries() throws(WrongMember) -> [CatalogValue] { try list { CatalogValue($0.json, $0.place) } }

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
        func someText(_ value: CatalogValue) throws(WrongMember) -> String {
            try value.text("a text that isn't empty") { $0.isEmpty ? nil : $0 }
        }
        if json?.isObject == true { return try byLanguage(of: someText) }
        let text = try text("a text, or an object with a text for each language") { $0.isEmpty ? nil : $0 }
        return Localized([(Name(""), text)])
    }
}

/// A member that is missing or invalid, and its place in the text.
package struct WrongMember: Error, Equatable {
    /// Its path in the entry, such as `files[1].url`; empty for an entry that isn't an object.
    private let path: String
    private let isMissing: Bool
    /// The offset of the member in bytes, or of the object in which it is missing.
    package let offset: Int
    /// The words after "it must be".
    private let requirement: String

    init(_ path: String, isMissing: Bool, _ place: JSONValue, _ requirement: String) {
        (self.path, self.isMissing, self.requirement) = (path, isMissing, requirement)
        offset = place.range.lowerBound
    }

    /// The entry's own member; `nil` for an entry that isn't an object.
    var member: String? { path.isEmpty ? nil : String(path.prefix { $0 != "[" && $0 != "." }) }

    /// The requirement. It doesn't contain the invalid value.
    package var description: String {
        "\(path.isEmpty ? "it" : "its member \(path)") \(isMissing ? "is missing; it must be" : "must be") \(requirement)"
    }
}
