/// The decoded texts of some lines, until they are removed. Only one thread uses it.
final class TextBuffer {
    @exclusivity(unchecked) private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { removeAll() }

    func removeAll() {
        for block in blocks { block.deallocate() }
        blocks.removeAll(keepingCapacity: true)
    }

    func copy(_ bytes: some Collection<UInt8>) -> Bytes {
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = block.initialize(from: bytes)
        blocks.append(block)
        return Bytes(block)
    }

    /// Decodes a part of a query, also one that isn't UTF-8.
    func decoded(_ text: Bytes) -> Bytes {
        let isPlain = text.allSatisfy { $0 != ASCII.percent && $0 != ASCII.plus && $0 < 0x80 }
        return isPlain ? text : copy(PercentEncoding.decodeForm(text).utf8)
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x74: 0x09, 0x6E: 0x0A, 0x72: 0x0D,
    ]

    /// Undoes the escapes of quoted text: `\xHH`, `\uHHHH`, `\"`, `\\`, `\t` and the like. Other backslashes stay.
    func unescaped(_ text: Bytes) -> Bytes {
        guard text.firstIndex(of: ASCII.backslash, in: text.indices) != nil else { return text }
        var plain: [UInt8] = []
        var position = 0
        func code(_ start: StaticString, _ length: Int) -> UInt16? {
            guard text.holds(start, at: position), position + 2 + length <= text.count else { return nil }
            let digits = String(decoding: text.part(position + 2..<position + 2 + length), as: UTF8.self)
            guard let code = UInt16(digits, radix: 16) else { return nil }
            position += 2 + length
            return code
        }
        while position < text.count {
            if let byte = code("\\x", 2) {
                plain.append(UInt8(byte))
            } else if let unit = code("\\u", 4) {
                let units = [unit] + (UTF16.isLeadSurrogate(unit) ? code("\\u", 4).map { [$0] } ?? [] : [])
                plain += String(decoding: units, as: UTF16.self).utf8
            } else if text[position] == ASCII.backslash, position + 1 < text.count,
                let byte = Self.escapes[text[position + 1]]
            {
                plain.append(byte)
                position += 2
            } else {
                plain.append(text[position])
                position += 1
            }
        }
        return copy(plain)
    }
}
