import ReferralFoundation

/// The files that SQLite keeps beside a database, with names that start with the database's.
///
/// See [the file format](https://www.sqlite.org/fileformat2.html#the_database_header) and
/// [the temporary files](https://www.sqlite.org/tempfiles.html).
enum SQLite {
    /// A write-ahead log, its index, and a rollback journal.
    static let companions = ["-wal", "-shm", "-journal"]

    private static let header = Data("SQLite format 3\0".utf8)

    /// The name of the database to which a file belongs by its own name, in any letter case; `nil` if it belongs to none.
    static func database(of name: String) -> String? {
        let folded = FileNames.folded(name).utf8
        // Compared by bytes, since the hyphen may be one character with what is before it. Letters that fold to those of a
        // suffix are single ones.
        return companions.first { folded.suffix($0.utf8.count).elementsEqual($0.utf8) }
            .map { String(name.unicodeScalars.dropLast($0.utf8.count)) }
    }

    /// Whether a path is a regular file that starts like a database. An encrypted one doesn't.
    static func isDatabase(_ url: URL) throws(HandoffError) -> Bool {
        guard case .file(1...) = try FileSystem.kind(of: url) else { return false }
        return try FileSystem.start(of: url, header.count) == header
    }
}

extension FileSystem {
    /// Throws if a file is a database with changes that are only in its write-ahead log, or that must be rolled back.
    static func checkDatabase(at url: URL, named name: String) throws(HandoffError) {
        for suffix in ["-wal", "-journal"] {
            if case .file(1...) = try kind(of: URL(fileURLWithPath: url.path + suffix)) { throw .openDatabase(name) }
        }
    }
}
