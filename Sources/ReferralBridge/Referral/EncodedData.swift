/// The value of the query item `ed`: a payload in base64.
package enum EncodedData {
    /// The number of characters that a payload of a number of bytes takes.
    package static func encodedCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Writes base64url without padding, so that an address needs no escapes.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - output: Room for ``encodedCount(_:)`` characters.
    package static func encode(_ payload: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) {
        let alphabet = Self.alphabet.utf8
        var end = 0
        func append(_ bits: UInt32, digits: Int) {
            for digit in 0..<digits {
                output[end + digit] = alphabet[Int(bits >> (18 - 6 * UInt32(digit)) & 63)]
            }
            end += digits
        }
        var position = 0
        while position + 3 <= payload.count {
            let bytes = (UInt32(payload[position]), UInt32(payload[position + 1]), UInt32(payload[position + 2]))
            append(bytes.0 << 16 | bytes.1 << 8 | bytes.2, digits: 4)
            position += 3
        }
        switch payload.count - position {
        case 1: append(UInt32(payload[position]) << 16, digits: 2)
        case 2: append(UInt32(payload[position]) << 16 | UInt32(payload[position + 1]) << 8, digits: 3)
        default: break
        }
    }

    /// Decodes what apps and sites make of links: percent-encoded or not, with a space for a plus, in either alphabet or a mix of
    /// both, with or without padding.
    ///
    /// - Parameters:
    ///   - value: The item's value as it is in the address.
    ///   - output: Room for a payload, ``Referral/maximumPayloadLength`` bytes or as many as the value can hold.
    /// - Returns: The number of bytes that the payload takes in `output`.
    /// - Throws: ``ReferralError/invalidPercentEncoding``, ``ReferralError/invalidBase64`` or ``ReferralError/payloadTooLong``, the
    ///   last only if everything else is valid.
    package static func decode(
        _ value: StoreAddress.Bytes,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ReferralError) -> Int {
        let values = Self.values
        var count = 0
        var digits = 0
        var padding = 0
        var bits: UInt32 = 0
        var position = value.startIndex

        // Four digits at a time until one is escaped, padding or invalid. In most links none is.
        while position + 4 <= value.endIndex, count + 3 <= output.count {
            let (a, b) = (values[Int(value[position])], values[Int(value[position + 1])])
            let (c, d) = (values[Int(value[position + 2])], values[Int(value[position + 3])])
            guard a | b | c | d < 64 else { break }
            output[count] = a << 2 | b >> 4
            output[count + 1] = b << 4 | c >> 2
            output[count + 2] = c << 6 | d
            count += 3
            digits += 4
            position += 4
        }

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
