/// The bytes that mean something in addresses, base64 and JSON.
package enum ASCII {
    static let ampersand = UInt8(ascii: "&")
    static let colon = UInt8(ascii: ":")
    static let equals = UInt8(ascii: "=")
    static let hash = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let plus = UInt8(ascii: "+")
    static let questionMark = UInt8(ascii: "?")
    static let slash = UInt8(ascii: "/")
    static let space = UInt8(ascii: " ")
    static let at = UInt8(ascii: "@")
    static let backslash = UInt8(ascii: "\\")
    static let quote = UInt8(ascii: "\"")

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

    static var hexadecimalDigits: UnsafeBufferPointer<UInt8> { ("0123456789ABCDEF" as StaticString).utf8 }

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
    /// Runs the body over the string's UTF-8. Copies only a string that Foundation lent to Swift.
    func withUTF8Bytes<Value, Failure>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // The standard library calls a closure in several places. Inlined into each, the bodies took 10 kB.
        @inline(never)
        func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Value, Failure> {
            Result { () throws(Failure) in try body(bytes) }
        }
        var string = self
        return try string.withUTF8(run).get()
    }
}
