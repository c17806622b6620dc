/// What the notes on a table and the sheet of codes need of a row with a link.
struct LinkedRow {
    let line: Int
    /// Hashes, which take less memory than the texts: the referrer, and the referrer without the differences between upper and lower
    /// case and without white space.
    let referrer, likeness: Int
    let link: Int
    /// Whether white space around the referrer was removed.
    let isTrimmed: Bool
    /// What the sheet shows of the row.
    let code: CodeSheet.Code?

    init(line: Int, link: Bytes, referrer: Bytes, isTrimmed: Bool, code: CodeSheet.Code?) {
        (self.line, self.isTrimmed, self.code) = (line, isTrimmed, code)
        (self.link, self.referrer) = (Self.hash(link), Self.hash(referrer))
        var hasher = Hasher()
        for scalar in referrer.string.unicodeScalars where !scalar.properties.isWhitespace {
            if scalar.isASCII {
                hasher.combine(ASCII.lowercased(UInt8(scalar.value)))
            } else {
                for byte in scalar.properties.lowercaseMapping.utf8 { hasher.combine(byte) }
            }
        }
        likeness = hasher.finalize()
    }

    private static func hash(_ bytes: Bytes) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return hasher.finalize()
    }
}

/// The first rows with links: finds those that may be mistakes, and collects the codes of a sheet.
struct LinkedRows {
    /// The number of lines whose rows are compared, since the memory is the same for any table.
    static let maximumCount = 20_000

    private var lineOfLink: [Int: Int] = [:]
    /// The first referrer of those that are alike, with its line.
    private var firstReferrers: [Int: (referrer: Int, line: Int)] = [:]
    private var (repeated, alike, trimmed) = (Places(), Places(), Places())
    /// The codes of the sheet, in order.
    private(set) var codes: [CodeSheet.Code] = []

    mutating func add(_ rows: [LinkedRow]) {
        for row in rows {
            if codes.count < CodeSheet.maximumCount, let code = row.code { codes.append(code) }
            guard row.line <= Self.maximumCount else { continue }
            if let first = lineOfLink[row.link] {
                repeated.add("line \(row.line) (as line \(first))")
            } else {
                lineOfLink[row.link] = row.line
                if let first = firstReferrers[row.likeness], first.referrer != row.referrer {
                    alike.add("line \(row.line) (like line \(first.line))")
                } else if firstReferrers[row.likeness] == nil {
                    firstReferrers[row.likeness] = (row.referrer, row.line)
                }
            }
            if row.isTrimmed { trimmed.add("line \(row.line)") }
        }
    }

    /// The notes on rows that may be mistakes, and on rows that aren't on the sheet.
    func notes(on counts: Counts) -> [Sentence] {
        let notes: [(Places, Sentence)] = [
            (repeated, "the same link as in an earlier row: "),
            (alike, "referrers that differ only by letter case or white space are different referrers: "),
            (trimmed, ReferrerText.note + ": "),
        ]
        let isCut = codes.count == CodeSheet.maximumCount && counts.rows - counts.rejected > codes.count
        let cut: Sentence =
            "the sheet has the first \(name: CountText.grouped(codes.count)) links; divide the table for more"
        return notes.filter { $0.0.count > 0 }.map { $0.1 + $0.0.text } + (isCut ? [cut] : [])
    }

    /// The first places of a kind, and the number of all.
    private struct Places {
        private static let maximumShown = 3

        private(set) var count = 0
        private var shown: [Sentence] = []

        mutating func add(_ place: @autoclosure () -> Sentence) {
            count += 1
            if shown.count < Self.maximumShown { shown.append(place()) }
        }

        /// `line 4 (as line 2), line 7 (as line 2) and 3 others`.
        var text: Sentence {
            let others = count - shown.count
            return Sentence.list(shown + (others == 0 ? [] : ["\(name: CountText.count(others, "other"))"]))
        }
    }
}

extension Sentence {
    /// `a, b and c`.
    static func list(_ names: [Sentence]) -> Sentence {
        names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")
    }
}
