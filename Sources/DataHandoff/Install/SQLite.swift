import ReferralFoundation

/// The files that SQLite keeps beside a database, with names that start with the database's.
///
/// See [the file format](https://www.sqlite.org/fileformat2.html#the_database_header) and
/// [the temporary files](https://www.sqlite.org/tempfiles.html).
enum SQLite {
    /// A write-ahead log, its index, and a rollback journal.
    static let companions = ["-wal", "-shm", "-journal"]

    private static let header = Data("SQLite format 3\0".utf8)

    /// The first bytes of a write-ahead log, whose last bit tells the byte order of its checksums, and of a rollback journal.
    /// Encryption leaves them as they are.
    private static let logs = [
        Data([0x37, 0x7F, 0x06, 0x82]), Data([0x37, 0x7F, 0x06, 0x83]),
        Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]),
    ]

    /// The name of the database to which a file belongs by its own name, in any letter case; `nil` if it belongs to none.
    static func database(of name: String) -> String? {
        let folded = FileNames.folded(name).utf8
        // Compared by bytes, since the hyphen may be one character with what is before it. Letters that fold to those of a
        // suffix are single ones.
        return companions.first { folded.suffix($0.utf8.count).elementsEqual($0.utf8) }
            .map { String(name.unicodeScalars.dropLast($0.utf8.count)) }
    }

    /// Whether a path is a regular file that starts like a database. An encrypted one doesn't.
    static func isDatabase(_ url: URL) throws(HandoffError) -> Bool { try start(of: url, header.count) == header }

    /// Whether a path is a regular file that starts like a write-ahead log or a rollback journal. So the file to which it belongs is a
    /// database, even if that doesn't start like one.
    static func isLog(_ url: URL) throws(HandoffError) -> Bool {
        let start = try start(of: url, 8)
        return logs.contains { start.starts(with: $0) }
    }

    /// Whether SQLite would read a file with a companion's suffix as a part of the database beside it.
    ///
    /// It doesn't roll back a journal whose first byte is zero, as `journal_mode=PERSIST` leaves it
    /// ([hasHotJournal](https://sqlite.org/src/file/src/pager.c)).
    static func isPart(_ url: URL, _ suffix: String) throws(HandoffError) -> Bool {
        let start = try start(of: url, 1)
        return suffix == "-journal" ? start.first ?? 0 != 0 : !start.isEmpty
    }

    /// Whether a database has changes that are only in its write-ahead log, or that must be rolled back.
    static func hasPendingChanges(_ url: URL) throws(HandoffError) -> Bool {
        for suffix in ["-wal", "-journal"] {
            if try isPart(URL(fileURLWithPath: url.path + suffix), suffix) { return true }
        }
        return false
    }

    /// The first bytes of a regular file; empty if there is none.
    private static func start(of url: URL, _ count: Int) throws(HandoffError) -> Data {
        guard case .file(1...) = try FileSystem.kind(of: url) else { return Data() }
        return try FileSystem.start(of: url, count, followsLink: false)
    }
}

extension FileSystem {
    /// Throws if a file is a database with changes that are only in its write-ahead log, or that must be rolled back.
    static func checkDatabase(at url: URL, named name: String) throws(HandoffError) {
        guard try !SQLite.hasPendingChanges(url) else { throw .openDatabase(name) }
    }
}
