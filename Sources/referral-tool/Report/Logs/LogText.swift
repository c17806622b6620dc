/// What the texts of logs have in common.
extension Bytes {
    /// The number that some digits are. Inlined, since most have two digits.
    @inline(__always)
    func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.upperBound <= count else { return nil }
        var value = 0
        for index in range {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }

    /// The texts between quotation marks, from a position outside of them.
    var quotedTexts: [Bytes] {
        var texts: [Bytes] = []
        var position = first == ASCII.quote ? 1 : 0
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            let end = endOfQuotedText(quote + 1)
            texts.append(part(quote + 1..<end))
            position = end + 1
        }
        return texts
    }

    /// The quotation mark that ends a text: it isn't escaped, and a space or nothing follows it. If there is none, the line's last one.
    func endOfQuotedText(_ start: Int) -> Int {
        var (position, last) = (start, count)
        while position < count, let quote = firstIndex(of: ASCII.quote, in: position..<count) {
            position = quote + 1
            let backslashes = part(start..<quote).reversed().prefix { $0 == ASCII.backslash }.count
            guard backslashes.isMultiple(of: 2) else { continue }
            if position == count || self[position] <= ASCII.space || self[position] == ASCII.quote { return quote }
            last = quote
        }
        return last
    }
}

/// The decoded texts of the lines of a block. Only one thread uses it.
final class TextBuffer {
    private static let endings: [StaticString] = ["/index.html", ".html", "/"]

    @exclusivity(unchecked) private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { for block in blocks { block.deallocate() } }

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

    /// A path in the one spelling in which paths are compared.
    func path(_ text: Bytes) -> Bytes {
        let isPlain = text.allSatisfy { $0 != ASCII.percent && $0 < 0x80 }
        return isPlain ? text : copy(PercentEncoding.spelled(text.string[...]).utf8)
    }

    /// What the paths of a page have in common: `/get`, `/get/`, `/get.html`, `/get/index.html` and `/%67et` are one page.
    func page(_ path: Bytes) -> Bytes {
        var page = self.path(path)
        if page.last != ASCII.slash, page.last != UInt8(ascii: "l") { return page }
        for ending in Self.endings where page.suffix(ending.utf8CodeUnitCount).elementsEqual(ending.utf8) {
            page = page.part(0..<page.count - ending.utf8CodeUnitCount)
        }
        return page
    }

    /// The page with `*` in place of the last name in a path, and that name.
    func pattern(_ path: Bytes) -> (page: [UInt8], name: Bytes)? {
        path.lastIndex(of: ASCII.slash).map { slash in
            (self.path(path.part(0..<slash + 1)) + [ASCII.asterisk], path.part(slash + 1..<path.count))
        }
    }

    private static let escapes: [UInt8: UInt8] = [0x22: 0x22, 0x5C: 0x5C, 0x74: 0x09, 0x6E: 0x0A, 0x72: 0x0D]

    /// Undoes the escapes of quoted text: `\xHH`, `\"`, `\\`, `\t` and the like. Other backslashes stay.
    func unescaped(_ text: Bytes) -> Bytes {
        guard text.firstIndex(of: ASCII.backslash, in: text.indices) != nil else { return text }
        var plain: [UInt8] = []
        var position = 0
        while position < text.count {
            let next = position + 1 < text.count && text[position] == ASCII.backslash ? text[position + 1] : 0
            let isCode = next == UInt8(ascii: "x")
            let digits = isCode ? text.dropFirst(position + 2).prefix(2).compactMap(ASCII.hexadecimalValue) : []
            let byte = digits.count == 2 ? digits[0] << 4 | digits[1] : Self.escapes[next]
            plain.append(byte ?? text[position])
            position += byte == nil ? 1 : 2 + digits.count
        }
        return copy(plain)
    }
}
