import ReferralFoundation

/// The required form of a catalog's member, in words and as code.
struct MemberForm<Value> {
    /// The words after "it must be".
    let requirement: String
    /// Reads the value, or throws an invalid part of it; `nil` if it has another form.
    let read: (JSONValue) throws(WrongMember) -> Value?

    init(_ requirement: String, _ read: @escaping (JSONValue) throws(WrongMember) -> Value?) {
        (self.requirement, self.read) = (requirement, read)
    }

    init(_ requirement: String, text read: @escaping (String) -> Value?) {
        self.init(requirement) { $0.string.flatMap(read) }
    }

    /// Reads the value of a member, or throws what is invalid in it, with the place of its name.
    func value(of value: JSONValue, at path: @autoclosure () -> String, _ place: JSONValue) throws(WrongMember) -> Value
    {
        do throws(WrongMember) { if let read = try read(value) { return read } } catch { throw error.inside(path()) }
        throw WrongMember(path(), place, requirement)
    }
}

// MARK: - Values

extension MemberForm {
    static var any: MemberForm<JSONValue> { MemberForm<JSONValue>("a value") { $0 } }

    static var bool: MemberForm<Bool> { MemberForm<Bool>("true or false") { $0.bool } }

    static func number(_ range: ClosedRange<Int>) -> MemberForm<Int> {
        MemberForm<Int>("a whole number from \(range.lowerBound) to \(range.upperBound)") { $0.wholeNumber(in: range) }
    }

    static func atLeast(_ least: Int) -> MemberForm<Int> {
        MemberForm<Int>("a whole number of at least \(least)") { $0.wholeNumber(in: least...Int.max) }
    }

    static var text: MemberForm<String> { MemberForm<String>("a text", text: \.self) }

    static var someText: MemberForm<String> {
        MemberForm<String>("a text that isn't empty", text: { $0.isEmpty ? nil : $0 })
    }

    static var name: MemberForm<String> {
        MemberForm<String>("a text of 1 to \(Name.maximumLength) bytes", text: { $0.isName ? $0 : nil })
    }

    static func id<Kind>() -> MemberForm<Identifier<Kind>> {
        MemberForm<Identifier<Kind>>(name.requirement, text: { $0.isName ? Identifier($0) : nil })
    }

    /// One of some words, compared by their bytes.
    static func word<Word: CaseIterable & RawRepresentable<String>>() -> MemberForm<Word> {
        let words = Word.allCases.map { "\"\($0.rawValue)\"" }
        let requirement = words.dropLast().joined(separator: ", ") + words.suffix(1).map { " or " + $0 }.joined()
        return MemberForm<Word>(requirement) { text in Word.allCases.first { Name($0.rawValue) == Name(text) } }
    }

    static var version: MemberForm<String> {
        MemberForm<String>("a version of 1 to 8 numbers separated by dots, such as \"2.1\"") { (text: String) in
            VersionNumber(text) == nil ? nil : text
        }
    }

    static var digest: MemberForm<String> {
        MemberForm<String>("64 hexadecimal digits in lower case") { (digest: String) in
            let isLowercase = digest.utf8.allSatisfy { ASCII.hexadecimalValue($0) != nil && $0 | 0x20 == $0 }
            return isLowercase && digest.utf8.count == 64 ? digest : nil
        }
    }

    static var date: MemberForm<Date> {
        MemberForm<Date>("a time such as \"2026-11-21T00:00:00Z\"") { (text: String) in
            ISO8601.milliseconds(text).map { Date(timeIntervalSince1970: $0 / 1_000) }
        }
    }

    /// An absolute address with the scheme `https`, in any letter case, and a host.
    static var address: MemberForm<URL> {
        MemberForm<URL>("an https address") { (text: String) in
            let isUnsafe = { (scalar: Unicode.Scalar) in
                scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            }
            let address = WebAddress(text)
            guard address.scheme?.lowercased() == "https", address.authority != nil,
                !text.unicodeScalars.contains(where: isUnsafe), let encoded = PercentEncoding.encodeAddress(text),
                let url = URL(string: encoded), url.host?.isEmpty == false
            else { return nil }
            return url
        }
    }

    static var picture: MemberForm<CatalogItem.Picture> {
        MemberForm<CatalogItem.Picture>("the name of an image in the app, or an https address") {
            value throws(WrongMember) in
            let isAddress = value.string.map { WebAddress($0).authority != nil } ?? false
            return isAddress ? try address.read(value).map { .address($0) } : try name.read(value).map { .named($0) }
        }
    }
}

// MARK: - Lists and objects

extension MemberForm {
    static func list<Element>(
        _ element: MemberForm<Element>,
        _ counts: ClosedRange<Int> = 0...Int.max,
        _ requirement: String = "a list"
    ) -> MemberForm<[Element]> {
        MemberForm<[Element]>(requirement) { value throws(WrongMember) in
            guard let values = value.array, counts.contains(values.count) else { return nil }
            var elements: [Element] = []
            for (index, value) in values.enumerated() {
                elements.append(try element.value(of: value, at: "[\(index)]", value))
            }
            return elements
        }
    }

    /// An object with a text for each language.
    static func byLanguage<Text>(_ text: MemberForm<Text>) -> MemberForm<Localized<Text>> {
        MemberForm<Localized<Text>>("an object whose members are languages") { value throws(WrongMember) in
            guard let members = value.members else { return nil }
            var texts: [(Name, Text)] = []
            for (name, value) in members {
                let language = name.content
                guard language.isName else { return nil }
                texts.append((Name(language), try text.value(of: value, at: language.shown, name)))
            }
            return Localized(texts)
        }
    }

    static var titleAndDetail: MemberForm<CatalogItem.Text> {
        MemberForm<CatalogItem.Text>("an object with a title") { value throws(WrongMember) in
            let members = try Members(value)
            let detail = try? members.optional("detail", .text)
            return CatalogItem.Text(title: try members.required("title", .text), detail: detail ?? nil)
        }
    }

    /// A text for every language, or one for each.
    static var about: MemberForm<Localized<String>> {
        MemberForm<Localized<String>>("a text, or an object with a text for each language") {
            value throws(WrongMember) in
            guard !value.isObject else { return try byLanguage(.someText).read(value) }
            return try someText.read(value).map { Localized([(Name(""), $0)]) }
        }
    }

    static var files: MemberForm<[CatalogItem.File]> {
        let file = MemberForm<CatalogItem.File>("an object") { value throws(WrongMember) in
            try CatalogItem.File(Members(value))
        }
        let list = list(file, 0...1_000, "a list of at most 1000 files")
        return MemberForm<[CatalogItem.File]>(list.requirement) { value throws(WrongMember) in
            guard let files = try list.read(value), let values = value.array else { return nil }
            guard let path = FileNames.firstInvalid(files.map(\.path)) else { return files }
            let index = files.lastIndex { $0.path == path } ?? 0
            let requirement =
                "a safe path that isn't inside another one, and differs from the others even in lower case"
            throw try Members(values[index]).wrong("path", requirement).inside("[\(index)]")
        }
    }
}
