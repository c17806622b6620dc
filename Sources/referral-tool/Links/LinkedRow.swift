/// What the notes on a table and the sheet of codes need of a row with a link.
struct LinkedRow {
    /// The row's line in its chunk, counting from 0.
    let line: Int
    /// Hashes, which take less memory than the texts: the link, the referrer, and the referrer without the differences
    /// between upper and lower case and without white space.
    let link, referrer, likeness: Int
    /// Whether white space around the referrer was removed.
    let isTrimmed: Bool
    /// A probable mistake in the row's own page.
    let pageNote: String?
    /// What the sheet shows of the row.
    let code: CodeSheet.Code?

    init(
        line: Int,
        link: Bytes,
        referrer: Bytes,
        isTrimmed: Bool,
        pageNote: String?,
        code: CodeSheet.Code?
    ) {
        self.line = line
        self.link = Self.hash(link)
        self.referrer = Self.hash(referrer)
        self.isTrimmed = isTrimmed
        self.pageNote = pageNote
        self.code = code
        likeness = Self.likeness(of: referrer)
    }

    private static func hash(_ bytes: Bytes) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }

    private static func likeness(of referrer: Bytes) -> Int {
        var hasher = Hasher()
        if referrer.allSatisfy({ $0 < 0x80 }) {
            for byte in referrer where !ASCII.isWhiteSpace(byte) { hasher.combine(ASCII.lowercased(byte)) }
        } else {
            for scalar in String(decoding: referrer, as: UTF8.self).unicodeScalars
            where !scalar.properties.isWhitespace {
                for byte in scalar.properties.lowercaseMapping.utf8 { hasher.combine(byte) }
            }
        }
        return hasher.finalize()
    }
}
