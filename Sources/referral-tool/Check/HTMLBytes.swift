import ReferralBridge

/// The few bytes that HTML is made of.
extension UInt8 {
    static let lessThan = UInt8(ascii: "<")
    static let greaterThan = UInt8(ascii: ">")
    static let slash = UInt8(ascii: "/")
    static let equals = UInt8(ascii: "=")
    static let dash = UInt8(ascii: "-")
    static let apostrophe = UInt8(ascii: "'")
    static let exclamationMark = UInt8(ascii: "!")
    static let questionMark = UInt8(ascii: "?")
    static let ampersand = UInt8(ascii: "&")

    /// Tab, line feed, form feed, carriage return and space: what HTML means by white space.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }

    var isLetter: Bool { ASCII.isLetter(self) }

    var lowercased: UInt8 { ASCII.lowercased(self) }
}

extension Sequence<UInt8> {
    /// The text with its ASCII letters in lower case.
    var lowercasedText: String { String(decoding: map(\.lowercased), as: UTF8.self) }
}

extension String {
    /// The text without white space around it.
    var trimmed: String {
        let start = utf8.drop(while: \.isHTMLSpace)
        let end = start.lastIndex { !$0.isHTMLSpace }
        return end.map { String(decoding: start[...$0], as: UTF8.self) } ?? ""
    }

    /// Letters of ASCII in lower case, everything else as it is.
    var asciiLowercased: String { utf8.lowercasedText }
}
