/// Percent-encoding as RFC 3986 defines it.
package enum PercentEncoding {
    /// Escapes everything but letters, digits and `-._~`, for a path component or an item.
    ///
    /// In an address that may stand in a text, a mark is escaped too unless it is between two letters or digits: programs that
    /// make links of addresses take other marks for the text's.
    package static func encode(_ text: String, isInText: Bool = false) -> String {
        text.withUTF8Bytes { bytes in
            String(unsafeUninitializedCapacity: 3 * bytes.count) { encode(bytes, isInText: isInText, into: $0) }
        }
    }

    /// Escapes UTF-8 into a buffer with room for three times as many bytes.
    ///
    /// - Returns: The number of bytes in `output`.
    package static func encode(_ text: Bytes, isInText: Bool, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        func isWord(_ index: Int) -> Bool { text.indices.contains(index) && ASCII.isAlphanumeric(text[index]) }
        var count = 0
        for (index, byte) in text.enumerated() {
            let isBare =
                ASCII.isAlphanumeric(byte)
                || ("-._~" as StaticString).utf8.contains(byte) && (!isInText || isWord(index - 1) && isWord(index + 1))
            if isBare {
                output[count] = byte
                count += 1
            } else {
                count = output[count...].update(fromContentsOf: escape(byte))
            }
        }
        return count
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = ASCII.hexadecimalDigits
        return [ASCII.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Escapes what an address may not contain, such as `ü`, and a `%` without two hexadecimal digits after it.
    ///
    /// Foundation's `URL` does that on iOS 17 and macOS 14 and later, and has no URL for such a text before.
    ///
    /// - Returns: The address; `nil` if the escape would be in the host, where it means something else.
    package static func encodeAddress(_ text: String) -> String? {
        let parts = WebAddress(text)
        let (path, fragment) = (parts.path.startIndex, parts.fragment.startIndex)
        // The marks that RFC 3986 allows in a path, a query or a fragment, or between them.
        let marks = ("-._~:/?@!$&'()*+,;=" as StaticString).utf8
        var encoded: [UInt8] = []
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            let isKept =
                switch byte {
                case ASCII.percent:
                    text.utf8[index...].dropFirst().prefix(2).count { ASCII.hexadecimalValue($0) != nil } == 2
                case ASCII.hash: index == fragment
                case ASCII.openBracket, ASCII.closeBracket: index < path
                default: ASCII.isAlphanumeric(byte) || marks.contains(byte)
                }
            guard isKept || index >= path else { return nil }
            encoded += isKept ? [byte] : escape(byte)
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Replaces the escapes in a part of an address. A broken escape stays as it is, and bytes that aren't UTF-8 become U+FFFD.
    package static func decode(_ text: some Sequence<UInt8>) -> String { unescaped(text, plusIsSpace: false) }

    /// The same where a plus is a space, as in items that a form encodes (WHATWG URL).
    package static func decodeForm(_ text: some Sequence<UInt8>) -> String { unescaped(text, plusIsSpace: true) }

    private static func unescaped(_ text: some Sequence<UInt8>, plusIsSpace: Bool) -> String {
        let decoded = Array(text).withUnsafeBufferPointer { bytes in
            var decoded: [UInt8] = []
            decoded.reserveCapacity(bytes.count)
            var position = bytes.startIndex
            while position < bytes.endIndex {
                if let byte = nextByte(of: bytes[...], at: &position) {
                    decoded.append(plusIsSpace && bytes[position - 1] == ASCII.plus ? ASCII.space : byte)
                } else {
                    decoded.append(ASCII.percent)
                    position += 1
                }
            }
            return decoded
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Reads a byte that may be escaped, and moves past it; `nil` for a `%` without two hexadecimal digits after it.
    static func nextByte(of bytes: Slice<Bytes>, at position: inout Int) -> UInt8? {
        let byte = bytes[position]
        guard byte == ASCII.percent else {
            position += 1
            return byte
        }
        guard position + 2 < bytes.endIndex,
            let high = ASCII.hexadecimalValue(bytes[position + 1]),
            let low = ASCII.hexadecimalValue(bytes[position + 2])
        else { return nil }
        position += 3
        return high << 4 | low
    }
}
