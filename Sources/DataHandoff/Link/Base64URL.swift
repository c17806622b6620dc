import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The web-safe base64 of links, strictly: no other characters, no padding, and no bits after the last byte.
enum Base64URL {
    static func encode(_ bytes: Data) -> String {
        let input = [UInt8](bytes)
        let count = EncodedData.encodedCount(input.count)
        return String(unsafeUninitializedCapacity: count) { output in
            input.withUnsafeBufferPointer { EncodedData.encode($0, into: output) }
            return count
        }
    }

    static func decode(_ text: Substring.UTF8View) throws(HandoffError) -> Data {
        let digits = [UInt8](text)
        guard digits.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dash || $0 == 0x5F }) else {
            throw .malformedPayload
        }
        var bytes = [UInt8](repeating: 0, count: digits.count * 3 / 4)
        let isValid = digits.withUnsafeBufferPointer { digits in
            bytes.withUnsafeMutableBufferPointer { (try? EncodedData.decode(digits[...], into: $0)) != nil }
        }
        guard isValid else { throw .malformedPayload }
        return Data(bytes)
    }
}
