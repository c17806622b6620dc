import ReferralFoundation

/// The file that records what is known about the user: one entry per line, in JSON. With each change it is replaced as a whole.
///
/// A damaged line is reported, the other lines count, and a copy of the damaged file is kept. The first line names the app, and
/// another app's journal is kept aside as a whole: an export of the free app's folder may bring it.
enum Journal {
    static let currentFormat = 3

    /// The contents of a journal.
    struct Contents {
        var ledger = Ledger()
        /// The numbers of the damaged lines, from 1.
        var damagedLines: [Int] = []
        /// The other app whose journal it was; `nil` if it was the app's own.
        var otherApp: String?

        /// The problems to report.
        var problems: [UnlocksProblem] {
            (otherApp.map { [.journalOfAnotherApp($0)] } ?? [])
                + (damagedLines.isEmpty ? [] : [.damagedJournal(lines: damagedLines)])
        }
    }

    /// The contents of a file that replaces the journal.
    static func text(of ledger: Ledger) -> [UInt8] { text(of: ledger.entries) }

    /// Entries as lines.
    static func text(of entries: [JournalEntry]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        var bytes: [UInt8] = []
        for entry in entries {
            // Every value in an entry can be encoded.
            bytes += (try? encoder.encode(entry)) ?? Data()
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Reads a journal.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - app: The app's identifier; `nil` accepts the journal of any app.
    /// - Returns: What counts.
    /// - Throws: ``UnlocksError/newerJournal``.
    static func read(_ bytes: [UInt8], of app: String?) throws(UnlocksError) -> Contents {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        var (contents, entries) = (Contents(), [JournalEntry]())
        contents.ledger.app = app
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let entry = try? decoder.decode(JournalEntry.self, from: Data(line)) else {
                contents.damagedLines.append(index + 1)
                continue
            }
            if case .format(let number, let writer) = entry {
                guard number <= currentFormat else { throw .newerJournal }
                if let app, let writer, Name(app) != Name(writer) {
                    return Contents(ledger: contents.ledger, otherApp: writer)
                }
            }
            entries.append(entry)
        }
        contents.ledger.apply(entries)
        return contents
    }
}
