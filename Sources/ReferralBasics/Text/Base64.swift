import ReferralFoundation

/// Base64 as RFC 4648 defines it.
///
/// There are two ways to read it: strictly, and leniently for links, since apps and sites change links.
package enum Base64 {
    package enum Alphabet {
        /// `+` and `/`, with padding.
        case standard
        /// `-` and `_`, without padding, so that an address needs no escapes.
        case url
    }

    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// The six bits of each digit, in both alphabets; 255 for a byte that isn't a digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(ASCII.plus)] = 62
        values[Int(ASCII.space)] = 62
        values[Int(ASCII.slash)] = 63
        return values
    }()
}

// MARK: - Writing

extension Base64 {
    /// The number of characters that base64url needs for a number of bytes.
    package static func encodedCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Writes base64url into a buffer with room for ``encodedCount(_:)`` characters.
    package static func encode(_ bytes: Bytes, into output: UnsafeMutableBufferPointer<UInt8>) {
        precondition(output.count >= encodedCount(bytes.count))
        guard let input = bytes.baseAddress, let text = output.baseAddress else { return }
        let digits = Self.alphabet.utf8Start
        var (position, end) = (0, 0)
        while position + 3 <= bytes.count {
            let (a, b, c) = (input[position], input[position + 1], input[position + 2])
            text[end] = digits[Int(a >> 2)]
            text[end + 1] = digits[Int((a & 3) << 4 | b >> 4)]
            text[end + 2] = digits[Int((b & 15) << 2 | c >> 6)]
            text[end + 3] = digits[Int(c & 63)]
            position += 3
            end += 4
        }
        if position < bytes.count {
            let (a, b) = (input[position], position + 1 < bytes.count ? input[position + 1] : nil)
            text[end] = digits[Int(a >> 2)]
            text[end + 1] = digits[Int((a & 3) << 4 | (b ?? 0) >> 4)]
            if let b { text[end + 2] = digits[Int((b & 15) << 2)] }
        }
    }

    package static func encode(_ bytes: some Collection<UInt8>, _ alphabet: Alphabet) -> String {
        if alphabet == .standard { return Data(bytes).base64EncodedString() }
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: encodedCount(bytes.count)) { text in
            bytes.withUnsafeBufferPointer { encode($0, into: text) }
            return encodedCount(bytes.count)
        }
    }
}

// MARK: - Reading

extension Base64 {
    /// Reads bytes strictly: `nil` if there is a character of another alphabet, wrong padding, or a bit set after the last byte.
    package static func decode(_ text: some Collection<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        let digits = Array(text)
        let marks: StaticString = alphabet == .standard ? "+/=" : "-_"
        guard digits.allSatisfy({ ASCII.isAlphanumeric($0) || marks.utf8.contains($0) }),
            alphabet == .url || digits.count % 4 == 0
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: digits.count * 3 / 4)
        let count = digits.withUnsafeBufferPointer { digits in
            bytes.withUnsafeMutableBufferPointer { bytes in try? decode(digits[...], into: bytes) }
        }
        return count.map { Array(bytes[..<$0]) }
    }

    /// Decodes base64 as apps and sites change it in links: percent-encoded or not, with a space for a plus, in either alphabet
    /// or a mix of both, with or without padding.
    ///
    /// - Parameters:
    ///   - value: The value as it is in the address.
    ///   - output: Room for the bytes.
    /// - Returns: The number of bytes in `output`.
    /// - Throws: ``ReferralError/invalidPercentEncoding``, ``ReferralError/invalidBase64`` or, if everything else is valid,
    ///   ``ReferralError/payloadTooLong``.
    package static func decode(
        _ value: Slice<Bytes>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ReferralError) -> Int {
        let values = Self.values
        // Four digits at a time until one is escaped, padding or invalid. Most links contain none of these.
        var count = values.withUnsafeBufferPointer { values in
            let text = Bytes(rebasing: value)
            var (position, count) = (0, 0)
            while position + 4 <= text.count, count + 3 <= output.count {
                let (a, b) = (values[Int(text[position])], values[Int(text[position + 1])])
                let (c, d) = (values[Int(text[position + 2])], values[Int(text[position + 3])])
                guard a | b | c | d < 64 else { break }
                output[count] = a << 2 | b >> 4
                output[count + 1] = b << 4 | c >> 2
                output[count + 2] = c << 6 | d
                count += 3
                position += 4
            }
            return count
        }
        var (digits, padding, bits) = (count / 3 * 4, 0, 0 as UInt32)
        var position = value.startIndex + digits

        while position < value.endIndex {
            guard let character = PercentEncoding.nextByte(of: value, at: &position) else {
                throw .invalidPercentEncoding
            }
            if character == ASCII.equals {
                padding += 1
                continue
            }
            let digit = values[Int(character)]
            guard digit < 64, padding == 0 else { throw .invalidBase64 }
            bits = bits << 6 | UInt32(digit)
            digits += 1
            if digits % 4 != 1 {
                let byte = UInt8(truncatingIfNeeded: bits >> (6 - 2 * ((digits + 3) % 4)))
                if count < output.count { output[count] = byte }
                count += 1
            }
        }
        // Two digits leave 4 bits over, three digits leave 2. A single digit makes no byte.
        let rest = digits % 4
        let isPadded = padding == 0 || rest != 0 && rest + padding == 4
        let leftover = rest == 2 ? bits & 15 : rest == 3 ? bits & 3 : 0
        guard rest != 1, isPadded, leftover == 0 else { throw .invalidBase64 }
        guard count <= output.count else { throw .payloadTooLong }
        return count
    }
}
