import ReferralBridge

/// The file that remembers what a person has: one event a line, with a checksum in front.
///
///     f1e2d3c4b5a69788 {"purchase":"1","item":"hints","grants":{"hint":10},"stage":"delivered"}
///
/// A line at the end that isn't whole was being written when the app ended, and says nothing. A damaged line elsewhere is
/// reported, the others count, and the damaged file is kept aside.
@MainActor
struct Journal {
    private let storage: any UnlocksStorage

    /// Opens the journal.
    ///
    /// - Parameters:
    ///   - storage: Where it is.
    ///   - ledger: Takes all entries.
    ///   - damaged: Is set to the numbers of the damaged lines, from 1.
    /// - Throws: ``UnlocksError``.
    init(_ storage: any UnlocksStorage, into ledger: inout Ledger, damaged: inout [Int]) throws(UnlocksError) {
        self.storage = storage
        let bytes = try storage.readJournal()
        let result = bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(UnlocksError) in try Self.read(bytes, into: &ledger, damaged: &damaged) }
        }
        let (lines, length) = try result.get()
        if !damaged.isEmpty { try storage.keepAside(bytes) }
        // A journal that has grown by half is written anew.
        if !damaged.isEmpty || length < bytes.count || lines == 0 || lines > ledger.entryCount * 3 / 2 + 64 {
            try storage.replaceJournal(Self.lines(ledger.entries))
        }
    }

    /// Writes an entry. When this returns it is on the disk.
    func append(_ entry: JournalEntry) throws(UnlocksError) {
        try storage.appendToJournal(Self.lines([entry]))
    }
}

extension Journal {
    /// Entries as lines.
    nonisolated static func lines(_ entries: [JournalEntry]) -> [UInt8] {
        var bytes: [UInt8] = []
        for entry in entries {
            let json = entry.json.utf8
            bytes += Checksum(json).text
            bytes.append(UInt8(ascii: " "))
            bytes += json
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Reads all lines.
    ///
    /// - Returns: How many there are, and how many bytes they take without the last one if it isn't whole.
    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        into ledger: inout Ledger,
        damaged: inout [Int]
    ) throws(UnlocksError) -> (lines: Int, length: Int) {
        var (lines, start) = (0, 0)
        // Most lines are a purchase, of over 128 bytes.
        ledger.reserve(bytes.count / 128)
        while start < bytes.count {
            let rest = UnsafeBufferPointer(rebasing: bytes[start...])
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let line = UnsafeBufferPointer(rebasing: rest[..<(end ?? rest.count)])
            lines += 1
            // This line was being written when the app ended.
            guard end != nil else { return (lines - 1, start) }
            do throws(JournalEntryError) {
                ledger.apply(try entry(line))
            } catch .newerFormat {
                throw .newerJournal
            } catch {
                damaged.append(lines)
            }
            start += line.count + 1
        }
        return (lines, start)
    }

    private static func entry(_ line: UnsafeBufferPointer<UInt8>) throws(JournalEntryError) -> JournalEntry {
        guard line.count > Checksum.length, line[Checksum.length] == UInt8(ascii: " ") else { throw .damaged }
        let json = UnsafeBufferPointer(rebasing: line[(Checksum.length + 1)...])
        guard Checksum(text: line.prefix(Checksum.length)) == Checksum(json) else { throw .damaged }
        return try JournalEntry(json: json)
    }
}

/// FNV-1a of 64 bits: against damage, not against forgery.
private struct Checksum: Equatable {
    /// The length of its text.
    static let length = 16

    private let value: UInt64

    init(_ bytes: some Sequence<UInt8>) {
        value = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Reads hexadecimal digits.
    init?(text: some Sequence<UInt8>) {
        var value: UInt64 = 0
        for byte in text {
            guard let digit = ASCII.hexadecimalValue(byte) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self.value = value
    }

    /// The value as hexadecimal digits.
    var text: [UInt8] { (0..<Self.length).map { ASCII.hexadecimalDigits[Int(value >> UInt64(60 - 4 * $0) & 15)] } }
}
