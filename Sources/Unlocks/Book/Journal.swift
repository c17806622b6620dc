/// The file that records the user's unlocks: one event per line, preceded by a checksum.
///
///     f1e2d3c4b5a69788 {"purchase":"1","item":"hints","grants":{"hint":10},"stage":"delivered"}
///
/// An incomplete last line was being written when the app ended, and is ignored. Any other damaged line is reported,
/// the other lines count, and a copy of the damaged file is kept. The first line names the app, and another app's journal is kept
/// aside as a whole: an export of the free app's folder may bring it.
enum Journal {
    /// The contents of a journal.
    struct Contents {
        var ledger = Ledger()
        /// The numbers of the damaged lines, from 1.
        var damagedLines: [Int] = []
        /// The other app whose journal it was; `nil` if it was the app's own.
        fileprivate(set) var otherApp: String?
        /// The number of bytes up to the end of the last complete line.
        var length = 0
        fileprivate var lineCount = 0
        /// Whether the journal has the current format, and names the app. A journal with another first line is written again,
        /// so that an older version of this library doesn't misread later lines.
        fileprivate(set) var isCurrent = false

        /// The problems to report.
        var problems: [UnlocksProblem] {
            (otherApp.map { [.journalOfAnotherApp($0)] } ?? [])
                + (damagedLines.isEmpty ? [] : [.damagedJournal(lines: damagedLines)])
        }
    }

    /// Opens the journal of a folder, and compacts it if it has grown by half.
    ///
    /// Opening doesn't fail on a full disk: the lines that were read count. Only another app's journal must be kept aside first.
    ///
    /// - Parameters:
    ///   - storage: The folder.
    ///   - app: The app's identifier; `nil` accepts the journal of any app.
    /// - Returns: What counts.
    /// - Throws: Why it can't be read, or be kept aside.
    static func open(_ storage: any UnlocksStorage, of app: String?) async throws(UnlocksError) -> Contents {
        let bytes = try await storage.openJournal()
        let result = bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(UnlocksError) in try read(bytes, of: app) }
        }
        var contents = try result.get()
        if contents.otherApp != nil {
            try await storage.keepAside(bytes)
            contents.length = try await storage.replaceJournal(lines(contents.ledger.entries))
            contents.isCurrent = true
            return contents
        }
        do throws(UnlocksError) {
            // If no copy can be kept, the journal stays unchanged, and is reported again at the next launch.
            if !contents.damagedLines.isEmpty { try await storage.keepAside(bytes) }
            let isOnlyGrown =
                contents.damagedLines.isEmpty && contents.length == bytes.count && contents.isCurrent
            guard !isOnlyGrown || contents.lineCount > contents.ledger.entryCount * 3 / 2 + 64 else { return contents }
            let lines = lines(contents.ledger.entries)
            contents.length = try await storage.replaceJournal(lines)
            contents.isCurrent = true
        } catch {}
        return contents
    }

    /// Entries as lines.
    static func lines(_ entries: [JournalEntry]) -> [UInt8] {
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
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>, of app: String?) throws(UnlocksError) -> Contents {
        var contents = Contents()
        contents.ledger.app = app
        // Most lines are purchases of more than 128 bytes.
        contents.ledger.reserve(bytes.count / 128)
        while contents.length < bytes.count {
            let rest = UnsafeBufferPointer(rebasing: bytes[contents.length...])
            // A line without an end was being written when the app ended.
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
            contents.lineCount += 1
            contents.length += end + 1
            do throws(JournalEntryError) {
                let entry = try entry(UnsafeBufferPointer(rebasing: rest[..<end]))
                if case .format(let number, let writer) = entry {
                    if let app, let writer, !app.utf8.elementsEqual(writer.utf8) {
                        contents = Contents()
                        (contents.ledger.app, contents.otherApp) = (app, writer)
                        return contents
                    }
                    contents.isCurrent = number == JournalEntry.currentFormat && (app == nil || writer != nil)
                }
                contents.ledger.apply(entry)
            } catch .newerFormat {
                throw .newerJournal
            } catch {
                contents.damagedLines.append(contents.lineCount)
            }
        }
        return contents
    }

    private static func entry(_ line: UnsafeBufferPointer<UInt8>) throws(JournalEntryError) -> JournalEntry {
        guard line.count > Checksum.length, line[Checksum.length] == UInt8(ascii: " ") else { throw .damaged }
        let json = UnsafeBufferPointer(rebasing: line[(Checksum.length + 1)...])
        guard Checksum(text: line.prefix(Checksum.length)) == Checksum(json) else { throw .damaged }
        return try JournalEntry(json: json)
    }
}

/// FNV-1a with 64 bits. It detects damage, not forgery.
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
