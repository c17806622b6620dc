/// `ed`, the query item's value: a payload in base64.
package enum EncodedData {
    /// How many characters a payload of so many bytes takes.
    package static func encodedCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

    /// Writes base64url without padding, which no address needs to escape.
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

    /// Decodes what links become in the wild: percent-encoded or not, a space for a plus, either alphabet or both, with
    /// padding or without.
    ///
    /// - Parameters:
    ///   - value: The item's value as it stands in the address.
    ///   - output: Room for a payload, ``Referral/maximumPayloadLength`` bytes or as many as the value can hold.
    /// - Returns: How many bytes of `output` the payload takes.
    /// - Throws: ``ReferralError/invalidPercentEncoding``, ``ReferralError/invalidBase64`` or ``ReferralError/payloadTooLong``, the
    ///   last only where the rest is right.
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

        // Four digits at a time as long as nothing is escaped, padded or wrong, which in most links nothing is.
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
        // After 2 digits 4 bits are left over, after 3 digits 2; a single digit is no byte.
        let rest = digits % 4
        let isPadded = padding == 0 || rest != 0 && rest + padding == 4
        let leftover = rest == 2 ? bits & 15 : rest == 3 ? bits & 3 : 0
        guard rest != 1, isPadded, leftover == 0 else { throw .invalidBase64 }
        guard count <= output.count else { throw .payloadTooLong }
        return count
    }

    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// The six bits that each byte stands for, in both alphabets; 255 for no digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(ASCII.plus)] = 62
        values[Int(ASCII.space)] = 62
        values[Int(ASCII.slash)] = 63
        return values
    }()
}
