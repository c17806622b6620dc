/// The ASCII characters of addresses, base64, JSON, HTML and tables.
package enum ASCII {
    package static let ampersand = UInt8(ascii: "&")
    package static let colon = UInt8(ascii: ":")
    package static let equals = UInt8(ascii: "=")
    package static let hash = UInt8(ascii: "#")
    package static let percent = UInt8(ascii: "%")
    package static let plus = UInt8(ascii: "+")
    package static let questionMark = UInt8(ascii: "?")
    package static let slash = UInt8(ascii: "/")
    package static let space = UInt8(ascii: " ")
    package static let at = UInt8(ascii: "@")
    package static let backslash = UInt8(ascii: "\\")
    package static let quote = UInt8(ascii: "\"")
    package static let apostrophe = UInt8(ascii: "'")
    package static let carriageReturn = UInt8(ascii: "\r")
    package static let closeBrace = UInt8(ascii: "}")
    package static let comma = UInt8(ascii: ",")
    package static let dash = UInt8(ascii: "-")
    package static let exclamationMark = UInt8(ascii: "!")
    package static let greaterThan = UInt8(ascii: ">")
    package static let lessThan = UInt8(ascii: "<")
    package static let lineFeed = UInt8(ascii: "\n")
    package static let openBrace = UInt8(ascii: "{")
    package static let semicolon = UInt8(ascii: ";")
    package static let tab = UInt8(ascii: "\t")

    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// U+0009 to U+000D and U+0020.
    package static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == space || byte &- 9 < 5
    }

    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// The value of a hexadecimal digit in either case.
    static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        let letter = lowercased(byte) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

extension StaticString {
    var utf8: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}

extension String {
    /// Runs the body over the string's UTF-8; copies only a string that Foundation lent to Swift.
    func withUTF8Bytes<Result, Failure>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The standard library's own closures are not typed in what they throw.
        let outcome: Swift.Result<Result, Failure>
        if let here = utf8.withContiguousStorageIfAvailable({ bytes in
            Swift.Result<Result, Failure> { () throws(Failure) in try body(bytes) }
        }) {
            outcome = here
        } else {
            var copy = self
            outcome = copy.withUTF8 { bytes in
                Swift.Result<Result, Failure> { () throws(Failure) in try body(bytes) }
            }
        }
        return try outcome.get()
    }
}
