import ReferralFoundation

/// The ASCII characters of addresses, base64, JSON, HTML and tables. They are inlined only because clients may use the type.
@usableFromInline package enum ASCII {
    @inlinable @inline(__always) package static var ampersand: UInt8 { UInt8(ascii: "&") }
    @inlinable @inline(__always) package static var colon: UInt8 { UInt8(ascii: ":") }
    @inlinable @inline(__always) package static var equals: UInt8 { UInt8(ascii: "=") }
    @inlinable @inline(__always) package static var hash: UInt8 { UInt8(ascii: "#") }
    @inlinable @inline(__always) package static var percent: UInt8 { UInt8(ascii: "%") }
    @inlinable @inline(__always) package static var plus: UInt8 { UInt8(ascii: "+") }
    @inlinable @inline(__always) package static var questionMark: UInt8 { UInt8(ascii: "?") }
    @inlinable @inline(__always) package static var slash: UInt8 { UInt8(ascii: "/") }
    @inlinable @inline(__always) package static var space: UInt8 { UInt8(ascii: " ") }
    @inlinable @inline(__always) package static var at: UInt8 { UInt8(ascii: "@") }
    @inlinable @inline(__always) package static var backslash: UInt8 { UInt8(ascii: "\\") }
    @inlinable @inline(__always) package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable @inline(__always) package static var asterisk: UInt8 { UInt8(ascii: "*") }
    @inlinable @inline(__always) package static var period: UInt8 { UInt8(ascii: ".") }
    @inlinable @inline(__always) package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable @inline(__always) package static var closeBracket: UInt8 { UInt8(ascii: "]") }
    @inlinable @inline(__always) package static var closeBrace: UInt8 { UInt8(ascii: "}") }
    @inlinable @inline(__always) package static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable @inline(__always) package static var dash: UInt8 { UInt8(ascii: "-") }
    @inlinable @inline(__always) package static var greaterThan: UInt8 { UInt8(ascii: ">") }
    @inlinable @inline(__always) package static var lessThan: UInt8 { UInt8(ascii: "<") }
    @inlinable @inline(__always) package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    @inlinable @inline(__always) package static var openBracket: UInt8 { UInt8(ascii: "[") }
    @inlinable @inline(__always) package static var openBrace: UInt8 { UInt8(ascii: "{") }
    @inlinable @inline(__always) package static var semicolon: UInt8 { UInt8(ascii: ";") }
    @inlinable @inline(__always) package static var underscore: UInt8 { UInt8(ascii: "_") }
    @inlinable @inline(__always) package static var tab: UInt8 { UInt8(ascii: "\t") }

    @inlinable @inline(__always) package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    @inlinable @inline(__always) package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    @inlinable @inline(__always) package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte)
    }

    /// U+0009 to U+000D and U+0020.
    @inlinable @inline(__always) package static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == space || byte &- 9 < 5
    }

    @inlinable @inline(__always) package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    package static var hexadecimalDigits: Bytes { ("0123456789ABCDEF" as StaticString).utf8 }

    /// The value of a hexadecimal digit in either case.
    package static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        let letter = lowercased(byte) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

/// Bytes in a buffer. They are valid only as long as their owner keeps them.
@usableFromInline package typealias Bytes = UnsafeBufferPointer<UInt8>

extension StaticString {
    @inlinable package var utf8: Bytes { Bytes(start: utf8Start, count: utf8CodeUnitCount) }
}

extension Slice<Bytes> {
    /// The index of the first such byte. The system compares many bytes at once.
    func place(of byte: UInt8) -> Int? {
        guard let start = base.baseAddress, let found = memchr(start + startIndex, Int32(byte), count) else {
            return nil
        }
        return UnsafeRawPointer(start).distance(to: found)
    }

    /// Whether these bytes are the text.
    func isEqual(to text: Bytes) -> Bool {
        guard count == text.count else { return false }
        guard let start = base.baseAddress, let other = text.baseAddress else { return true }
        return memcmp(start + startIndex, other, count) == 0
    }
}

extension String {
    /// Runs the body over the string's UTF-8. Copies only a string that Foundation lent to Swift.
    @inlinable
    package func withUTF8Bytes<Value, Failure>(
        _ body: (Bytes) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var string = self
        return try string.withUTF8 { bytes in Result { () throws(Failure) in try body(bytes) } }.get()
    }
}

extension Bytes {
    /// Whether the bytes are UTF-8, with or without a byte order mark.
    package var isUTF8: Bool {
        // Most texts are ASCII. A loop without an early exit checks many bytes at once.
        reduce(0, |) < 0x80 || String(decoding: self, as: UTF8.self).withUTF8Bytes { self[...].isEqual(to: $0) }
    }
}

extension Collection<UInt8> {
    /// Two hexadecimal digits in lower case for each byte.
    package var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
