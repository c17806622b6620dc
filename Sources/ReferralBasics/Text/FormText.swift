/// Text as forms and query items encode it (WHATWG URL, application/x-www-form-urlencoded).
package enum FormText {
    /// Decodes a name or a value. A broken escape stays as it is, and bytes that aren't UTF-8 become U+FFFD.
    package static func decode(_ text: some Sequence<UInt8>, plusIsSpace: Bool = true) -> String {
        let text = Array(text)
        let decoded = text.withUnsafeBufferPointer { bytes in
            var decoded: [UInt8] = []
            decoded.reserveCapacity(bytes.count)
            var position = bytes.startIndex
            while position < bytes.endIndex {
                if plusIsSpace, bytes[position] == ASCII.plus {
                    decoded.append(ASCII.space)
                    position += 1
                } else if let byte = PercentEncoding.nextByte(of: bytes[...], at: &position) {
                    decoded.append(byte)
                } else {
                    decoded.append(ASCII.percent)
                    position += 1
                }
            }
            return decoded
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
