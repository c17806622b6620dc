import DurableFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The files that SQLite keeps beside a database, with names that start with the database's.
///
/// See [the file format](https://www.sqlite.org/fileformat2.html#the_database_header) and
/// [the temporary files](https://www.sqlite.org/tempfiles.html).
enum SQLite {
    /// A write-ahead log, its index, and a rollback journal.
    static let companions = ["-wal", "-shm", "-journal"]

    /// The companions with changes that are still to be added to the database, or rolled back.
    private static let pending = ["-wal", "-journal"]

    private static let header = Data("SQLite format 3\0".utf8)

    /// The name of the database to which a file belongs by its own name, in any letter case; `nil` if it belongs to none.
    static func database(of name: String) -> String? {
        let folded = FileNames.folded(name).utf8
        // Compared by bytes, since the hyphen may be one character with what is before it. Letters that fold to those of a
        // suffix are single ones.
        return companions.first { folded.suffix($0.utf8.count).elementsEqual($0.utf8) }
            .map { String(name.unicodeScalars.dropLast($0.utf8.count)) }
    }

    /// Whether a path is a regular file that starts like a database.
    static func isDatabase(_ url: URL) throws(HandoffError) -> Bool {
        guard case .file(header.count...) = try FileSystem.kind(of: url) else { return false }
        var start = Data()
        try OpenFile<HandoffError>(reading: url, followsLink: false).readAll { part in
            start.append(contentsOf: part.prefix(header.count - start.count))
            return start.count < header.count
        }
        return start == header
    }

    /// The companion of a database with changes in it, if there is one.
    static func pendingCompanion(of url: URL) throws(HandoffError) -> String? {
        for suffix in pending {
            if case .file(1...) = try FileSystem.kind(of: URL(fileURLWithPath: url.path + suffix)) { return suffix }
        }
        return nil
    }
}

extension FileSystem {
    /// Throws if a file is a database with changes that are only in its write-ahead log, or that must be rolled back.
    static func checkDatabase(at url: URL, named name: String) throws(HandoffError) {
        guard try SQLite.pendingCompanion(of: url) == nil else { throw .openDatabase(name) }
    }
}
