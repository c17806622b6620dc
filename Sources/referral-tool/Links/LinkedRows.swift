/// The first rows with links: finds those that may be mistakes, and collects the codes of a sheet.
///
/// Only the thread whose turn it is may use it.
final class LinkedRows {
    /// The number of rows that are compared, since the memory is the same for any table.
    static let maximumCount = 20_000

    private let compares: Bool
    private let collectsCodes: Bool

    private var count = 0
    private var lineOfLink: [Int: Int] = [:]
    /// The first referrer of those that are alike, with its line, and the others.
    private var firstReferrers: [Int: (referrer: Int, line: Int)] = [:]
    private var otherReferrers: [Int: Set<Int>] = [:]

    private var repeatedLinks = Places()
    private var alikeReferrers = Places()
    private var trimmedReferrers = Places()
    private var notedPages = Places()
    private var pageNote = ""
    /// The codes of the sheet, in order.
    private(set) var codes: [CodeSheet.Code] = []

    /// - Parameters:
    ///   - compares: Whether rows that may be mistakes are found.
    ///   - collectsCodes: Whether the codes of a sheet are collected.
    init(compares: Bool, collectsCodes: Bool) {
        self.compares = compares
        self.collectsCodes = collectsCodes
    }

    /// Whether no more rows are needed.
    var isFull: Bool {
        (!compares || count >= Self.maximumCount) && (!collectsCodes || codes.count >= CodeSheet.maximumCount)
    }

    /// Adds the rows of a chunk that comes after a number of lines.
    func add(_ rows: [LinkedRow], after lines: Int) {
        for row in rows {
            let line = 1 + lines + row.line
            if collectsCodes, codes.count < CodeSheet.maximumCount, let code = row.code { codes.append(code) }
            guard compares, count < Self.maximumCount else { continue }
            count += 1
            if let first = lineOfLink[row.link] {
                repeatedLinks.add("line \(line) (as line \(first))")
            } else {
                lineOfLink[row.link] = line
            }
            if let first = firstReferrers[row.likeness] {
                let isNew =
                    first.referrer != row.referrer
                    && otherReferrers[row.likeness, default: []].insert(row.referrer).inserted
                if isNew { alikeReferrers.add("line \(line) (like line \(first.line))") }
            } else {
                firstReferrers[row.likeness] = (row.referrer, line)
            }
            if row.isTrimmed { trimmedReferrers.add("line \(line)") }
            if let note = row.pageNote {
                pageNote = note
                notedPages.add("line \(line)")
            }
        }
    }

    /// The notes on rows that may be mistakes, and on rows that aren't on the sheet.
    func notes(on counts: Counts) -> [Sentence] {
        let notes: [(Places, Sentence)] = [
            (repeatedLinks, "the same link as in an earlier row: "),
            (alikeReferrers, "referrers that differ only by letter case or white space are different referrers: "),
            (trimmedReferrers, ReferrerText.note + ": "),
            (notedPages, "page: \(reason: pageNote): "),
        ]
        let isCut = codes.count == CodeSheet.maximumCount && counts.rows - counts.rejected > codes.count
        let cut: Sentence =
            "the sheet has the first \(name: Progress.grouped(codes.count)) links; divide the table for more"
        return notes.compactMap { places, text in places.text.map { text + "\(reason: $0)" } } + (isCut ? [cut] : [])
    }

    /// The first places of a kind, and the number of all.
    private struct Places {
        private static let maximumShown = 3

        private var count = 0
        private var shown: [String] = []

        mutating func add(_ place: @autoclosure () -> String) {
            count += 1
            if shown.count < Self.maximumShown { shown.append(place()) }
        }

        /// `line 4 (as line 2), line 7 (as line 2) and 3 others`; `nil` without places.
        var text: String? {
            let others = count - shown.count
            let rest = others == 0 ? [] : ["\(Progress.grouped(others)) other\(others == 1 ? "" : "s")"]
            let all = shown + rest
            guard let last = all.last else { return nil }
            return all.count == 1 ? last : all.dropLast().joined(separator: ", ") + " and " + last
        }
    }
}
