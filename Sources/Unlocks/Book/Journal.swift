import ReferralFoundation

/// The file that records what is known about the user: one entry per line, in JSON. With each change it is replaced as a whole.
///
/// A damaged line is reported, and the other lines count.
enum Journal {
    static let currentFormat = 3

    /// Entries as lines.
    static func text(of entries: [JournalEntry]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
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
    /// - Parameter bytes: The contents of the file.
    /// - Returns: What counts, and the numbers of the damaged lines, from 1.
    /// - Throws: ``UnlocksError/newerJournal``.
    static func read(_ bytes: [UInt8]) throws(UnlocksError) -> (ledger: Ledger, damagedLines: [Int]) {
        let decoder = JSONDecoder()
        var (ledger, entries, damagedLines) = (Ledger(), [JournalEntry](), [Int]())
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let entry = try? decoder.decode(JournalEntry.self, from: Data(line)) else {
                damagedLines.append(index + 1)
                continue
            }
            if case .format(let number) = entry, number > currentFormat { throw .newerJournal }
            entries.append(entry)
        }
        ledger.apply(entries)
        return (ledger, damagedLines)
    }
}
