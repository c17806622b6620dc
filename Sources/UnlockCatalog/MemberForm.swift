import ReferralFoundation

/// The required form of a catalog's member, in words and as code.
struct MemberForm<Value> {
    /// The words after "it must be".
    let requirement: String
    /// Returns the value; `nil` if it has another form.
    let read: (JSONValue) -> Value?
}

extension MemberForm<String> {
    static var name: Self { MemberForm(requirement: "a text of 1 to \(Name.maximumLength) bytes", read: \.name) }

    static var text: Self { MemberForm(requirement: "a text", read: \.string) }

    static var version: Self {
        MemberForm(requirement: "a version of 1 to 8 numbers separated by dots, such as \"2.1\"") { value in
            value.string.flatMap { VersionNumber($0) == nil ? nil : $0 }
        }
    }

    /// The name of a kind of item.
    static var kind: Self {
        oneOf("nonConsumable", "consumable", "subscription", "nonRenewing", "trial", "allowance")
    }

    static var digest: Self {
        MemberForm(requirement: "64 hexadecimal digits in lower case") { value in
            value.string.flatMap { digest in
                let isValid = digest.utf8.allSatisfy {
                    ASCII.isDigit($0) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
                }
                return isValid && digest.utf8.count == 64 ? digest : nil
            }
        }
    }

    /// One of the given words.
    static func oneOf(_ words: String...) -> Self {
        let last = words.last.map { " or \"\($0)\"" } ?? ""
        let requirement = words.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + last
        return MemberForm(requirement: requirement) { value in
            // By the bytes, like names.
            value.string.flatMap { text in words.first { $0.utf8.elementsEqual(text.utf8) } }
        }
    }
}

extension MemberForm<[String]> {
    static var names: Self {
        MemberForm(requirement: "a list of texts of 1 to \(Name.maximumLength) bytes", read: \.names)
    }

    static var someNames: Self {
        MemberForm(requirement: "a list of at least one text of 1 to \(Name.maximumLength) bytes") { value in
            value.names.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    static var oneName: Self {
        MemberForm(requirement: "a list of one text of 1 to \(Name.maximumLength) bytes") { value in
            value.names.flatMap { $0.count == 1 ? $0 : nil }
        }
    }
}

extension MemberForm<Bool> {
    static var bool: Self { MemberForm(requirement: "true or false", read: \.bool) }
}

extension MemberForm<Int> {
    static var amount: Self {
        MemberForm(requirement: "a whole number from 1 to 1000000") { $0.wholeNumber(in: CatalogItem.amounts) }
    }

    static var warning: Self {
        MemberForm(requirement: "a whole number from 0 to 1000000") {
            $0.wholeNumber(in: 0...CatalogItem.amounts.upperBound)
        }
    }

    static var length: Self {
        let lengths = CatalogItem.File.lengths
        return MemberForm(requirement: "a whole number from 0 to \(lengths.upperBound)") { $0.wholeNumber(in: lengths) }
    }

    static func days(_ range: ClosedRange<Int>) -> Self {
        MemberForm(requirement: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            $0.wholeNumber(in: range)
        }
    }

    /// A whole number that is at least this one.
    static func atLeast(_ least: Int) -> Self {
        MemberForm(requirement: "a whole number of at least \(least)") { $0.wholeNumber(in: least...Int.max) }
    }

    static func exactly(_ number: Int) -> Self {
        MemberForm(requirement: "\(number)") { $0.wholeNumber(in: number...number) }
    }
}

extension MemberForm<Date> {
    static var date: Self {
        MemberForm(requirement: "a time such as \"2026-11-21T00:00:00Z\"") { value in
            value.string.flatMap { ISO8601.milliseconds($0).map { Date(timeIntervalSince1970: $0 / 1_000) } }
        }
    }
}

extension MemberForm<URL> {
    static var address: Self {
        MemberForm(requirement: "an https address") { value in value.string.flatMap(URL.init(httpsAddress:)) }
    }
}

extension MemberForm<CatalogItem.Picture> {
    static var picture: Self {
        MemberForm(requirement: "the name of an image in the app, or an https address", read: CatalogItem.Picture.init)
    }
}

extension MemberForm<[CatalogItem.Picture]> {
    static var pictures: Self {
        MemberForm(requirement: "a list of at most 8 names of images in the app or https addresses") { value in
            value.array.flatMap { $0.count > 8 ? nil : $0.all(CatalogItem.Picture.init) }
        }
    }
}

extension MemberForm<[CatalogItem.File]> {
    static var files: Self {
        let requirement =
            "a list of at most \(CatalogItem.File.maximumCount) objects with a safe and unique path, an https url, a length and "
            + "a sha256 of 64 lowercase hexadecimal digits"
        return MemberForm(requirement: requirement) { value in
            guard let values = value.array, values.count <= CatalogItem.File.maximumCount,
                let files = values.all({ try? CatalogItem.File($0) }), FileNames.firstInvalid(files.map(\.path)) == nil
            else { return nil }
            return files
        }
    }
}

extension MemberForm<[JSONValue]> {
    static var list: Self { MemberForm(requirement: "a list", read: \.array) }
}

extension MemberForm<[String: CatalogItem.Text]> {
    static var texts: Self {
        MemberForm(requirement: "an object with an object for each language, which contains a title", read: \.texts)
    }
}

extension MemberForm<[String: String]> {
    /// The text for every language has no tag.
    static var about: Self {
        MemberForm(requirement: "a text, or an object with a text for each language, none of which is empty") { value in
            if let text = value.string { return text.isEmpty ? nil : ["": text] }
            guard let object = value.object else { return nil }
            var texts: [String: String] = [:]
            for (language, value) in object.sorted(by: { $0.key < $1.key }) {
                guard language.rawValue.isName, let text = value.string, !text.isEmpty else { return nil }
                texts[language.rawValue] = text
            }
            return texts
        }
    }
}

private extension [JSONValue] {
    /// All values, if each can be read; otherwise `nil`.
    func all<Value>(_ read: (JSONValue) -> Value?) -> [Value]? {
        let values = compactMap(read)
        return values.count == count ? values : nil
    }
}

private extension CatalogItem.Picture {
    init?(_ value: JSONValue) {
        guard let text = value.string, !text.isEmpty else { return nil }
        if text.utf8.indices.contains(where: { text.utf8[$0...].starts(with: "://".utf8) }) {
            guard let url = URL(httpsAddress: text) else { return nil }
            self = .address(url)
        } else {
            guard text.isName else { return nil }
            self = .named(text)
        }
    }
}

private extension URL {
    /// An absolute address with the scheme `https`, in any letter case, and a host; `nil` for any other text.
    init?(httpsAddress text: String) {
        let prefix = "https://"
        let isUnsafe = { (scalar: Unicode.Scalar) in
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        }
        guard String(decoding: text.utf8.prefix(prefix.utf8.count), as: UTF8.self).lowercased() == prefix,
            !text.unicodeScalars.contains(where: isUnsafe), let address = PercentEncoding.encodeAddress(text),
            let url = URL(string: address), url.host.map({ !$0.isEmpty }) ?? false
        else { return nil }
        self = url
    }
}
