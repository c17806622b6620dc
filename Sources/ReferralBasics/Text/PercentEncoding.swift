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

    /// Writes the path, the query or the fragment of an address in one spelling: escapes of letters, digits and `-._~` are undone,
    /// others have capital digits, and what may not be there, such as `ü` or a `%` without digits, is escaped.
    package static func spelled(_ part: Substring) -> String {
        let spelled = String(part).withUTF8Bytes { bytes in
            var (spelled, position): ([UInt8], Int) = ([], 0)
            while position < bytes.endIndex {
                let start = position
                let byte = nextByte(of: bytes[...], at: &position) ?? ASCII.percent
                let marks = position > start + 1 ? "-._~" as StaticString : "-._~:/?@!$&'()*+,;="
                spelled += ASCII.isAlphanumeric(byte) || marks.utf8.contains(byte) ? [byte] : escape(byte)
                position = max(position, start + 1)
            }
            return spelled
        }
        return String(decoding: spelled, as: UTF8.self)
    }

    /// Escapes what an address may not contain, and writes a host beyond ASCII in Punycode. Foundation's `URL` does that on iOS 17 and
    /// macOS 14 and later, and has no URL for such a text before.
    ///
    /// - Returns: The address; `nil` if its host can't be written in ASCII.
    package static func encodeAddress(_ text: String) -> String? {
        let parts = WebAddress(text)
        let start = text[..<parts.path.startIndex]
        let isInASCII = start.utf8.allSatisfy { $0 < 0x80 && $0 != ASCII.space }
        guard let site = isInASCII ? String(start) : parts.site else { return nil }
        let end = parts.fragment.isEmpty ? "" : "#" + spelled(parts.fragment.dropFirst())
        return site + spelled(parts.path) + (parts.query.map { "?" + spelled($0) } ?? "") + end
    }

    /// Replaces the escapes in a part of an address. A broken escape stays as it is, and bytes that aren't UTF-8 become U+FFFD.
    package static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String {
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

    /// The same where a plus is a space, as in items that a form encodes (WHATWG URL).
    package static func decodeForm(_ text: some Sequence<UInt8>) -> String { decode(text, plusIsSpace: true) }

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
