#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known of an installation after a crash.
///
/// It is read back as if a stranger had written it: it names only paths in the destination that a package may name too.
struct Journal: Codable, Sendable {
    struct File: Codable, Sendable {
        let name: String
        let length: Int
        let sha256: String
        /// Whether a file of this name was there before.
        var isReplacing = false
    }

    /// The path of the destination, from the storage. The system may move both together.
    let destination: String
    /// Whether the files are beside the destination's, on another volume than the journal.
    let isBesideFiles: Bool
    /// The new files.
    var files: [File]
    /// The folders that the new files need and that weren't there, each after the one that it is in.
    var folders: [String] = []
    /// Whether every file is in its place.
    var isInstalled = false
    /// What the receipt needs.
    let note: Data

    // MARK: On the disk

    private static let name = "journal"
    /// The name of a journal of files that mean nothing: they aren't installed yet, or they aren't needed any more.
    private static let unused = "unused"
    private static let maximumLength = 64 << 20

    enum Contents {
        case missing
        case damaged
        case journal(Journal)
    }

    /// Reads the journal of an installation.
    ///
    /// - Throws: ``HandoffError`` if it can't be read now, such as on a locked device.
    static func read(in folder: URL) throws(HandoffError) -> Contents { try read(name, in: folder) }

    /// Reads what ``write(unused:in:)`` has written, or what was the journal before ``remove(in:)``.
    static func readUnused(in folder: URL) throws(HandoffError) -> Contents { try read(unused, in: folder) }

    private static func read(_ name: String, in folder: URL) throws(HandoffError) -> Contents {
        let file = folder.appending(name + ".json")
        guard let kind = try FileSystem.kind(of: file) else { return .missing }
        guard case .file(0...maximumLength) = kind else { return .damaged }
        let json = try FileSystem.contents(of: file)
        guard let journal = try? JSONDecoder().decode(Self.self, from: json), journal.isValid else { return .damaged }
        return .journal(journal)
    }

    /// Writes the journal, all of it or nothing. An unused one is for files that mean nothing yet.
    func write(unused isUnused: Bool = false, in folder: URL) throws(HandoffError) {
        try FileSystem.save(self, as: isUnused ? Self.unused : Self.name, in: folder)
    }

    /// Takes the journal out of use, before its files are removed. This also succeeds on a full disk.
    static func remove(in folder: URL) throws(HandoffError) {
        guard try FileSystem.kind(of: folder.appending(name + ".json")) != nil else { return }
        try FileSystem.rename(folder.appending(name + ".json"), to: folder.appending(unused + ".json"))
        try FileSystem.flush(folder)
    }

    private var isValid: Bool {
        let names = files.map(\.name)
        guard destination.isEmpty || FileNames.hasValidLengths(destination),
            (try? FileNames.check(names)) != nil,
            files.allSatisfy({ 0...HandoffManifest.maximumNumber ~= $0.length && HandoffManifest.isDigest($0.sha256) })
        else { return false }
        return Set(names.flatMap(FileNames.folders)).isSuperset(of: folders)
    }
}
