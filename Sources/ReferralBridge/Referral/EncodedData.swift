/// `ed`, the query item's value: a payload in base64.
enum EncodedData {
    /// Base64url without padding, which no address needs to escape.
    static func encode(_ payload: String) -> String {
        payload.withUTF8Bytes { bytes in
            String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { output in
                var end = 0
                var bits: UInt32 = 0
                var pending = 0
                for byte in bytes {
                    bits = bits << 8 | UInt32(byte)
                    pending += 8
                    while pending >= 6 {
                        pending -= 6
                        output[end] = alphabet[Int(bits >> pending & 63)]
                        end += 1
                    }
                }
                if pending > 0 {
                    output[end] = alphabet[Int(bits << (6 - pending) & 63)]
                    end += 1
                }
                return end
            }
        }
    }

    /// Decodes what links become in the wild: percent-encoded or not, a space for a plus, either alphabet or both, with
    /// padding or without.
    ///
    /// - Parameters:
    ///   - value: The item's value as it stands in the address.
    ///   - output: Room for a payload, ``Referral/maximumPayloadLength`` bytes or as many as the value can hold.
    /// - Returns: How many bytes of `output` the payload takes.
    /// - Throws: ``ReferralError/percentEncoding``, ``ReferralError/base64`` or ``ReferralError/payloadTooLong``, the
    ///   last only where the rest is right.
    static func decode(
        _ value: StoreAddress.Bytes,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) throws(ReferralError) -> Int {
        var count = 0
        var digits = 0
        var padding = 0
        var bits: UInt32 = 0
        var position = value.startIndex
        while position < value.endIndex {
            guard let character = PercentEncoding.nextByte(of: value, at: &position) else { throw .percentEncoding }
            if character == ASCII.equals {
                padding += 1
                continue
            }
            let digit = values[Int(character)]
            guard digit < 64, padding == 0 else { throw .base64 }
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
        guard rest != 1, isPadded, leftover == 0 else { throw .base64 }
        guard count <= output.count else { throw .payloadTooLong }
        return count
    }

    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8.map { $0 }

    /// The six bits that each byte stands for, in both alphabets; 255 for no digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(ASCII.plus)] = 62
        values[Int(ASCII.space)] = 62
        values[Int(ASCII.slash)] = 63
        return values
    }()
}
