import ReferralFoundation

/// The record of an installation, which survives a crash.
///
/// It is checked like data from a stranger: it may name only paths in the destination that a package may also name.
struct InstallationJournal: Codable, Sendable {
    struct File: Codable, Sendable {
        let name: String
        let length: Int
        let sha256: String
        /// Whether it replaces a file.
        var isReplacing = false

        /// Whether it is a file of a package.
        func isSame(as file: HandoffManifest.File) -> Bool {
            name.utf8.elementsEqual(file.name.utf8) && length == file.length && sha256 == file.sha256
        }
    }

    /// The path of the destination, from the storage. The system may move both together.
    let destination: String
    /// Whether the files are in the destination, because it is on a different volume than the journal.
    let isBesideFiles: Bool
    /// The new files.
    var files: [File]
    /// The new folders that the files need, each one after its parent.
    var folders: [String] = []
    /// The versions of the files that have a second name in `old`, since an app may write to such a file in place; missing in
    /// a file of an earlier version.
    var kept: [String: FileSystem.Version]? = [:]
    /// The user defaults; `nil` without any.
    let defaults: HandoffDefaults.Change?
    /// Whether every file is in its place, and the user defaults are set.
    var isInstalled = false
    /// Whether the user has declined after the installation failed, so that it is only undone; missing in a file of an
    /// earlier version.
    var isDeclined: Bool?
    /// Whether an app was told that the installation is complete, or a later one has replaced its files. Then declining its
    /// offer doesn't undo it anymore. It is missing in a file of an earlier version.
    var isReported: Bool?
    /// The data for the receipt.
    let note: Data

    // MARK: On the disk

    private static let name = "journal"
    /// The name of an unused journal: its files aren't being installed yet, or are no longer needed.
    private static let unused = "unused"
    private static let maximumLength = 64 << 20

    enum Contents {
        case missing
        case damaged
        case journal(InstallationJournal)
    }

    /// Reads the journal of an installation.
    ///
    /// - Throws: ``HandoffError`` if it can't be read now, such as on a locked device.
    static func read(in folder: URL) throws(HandoffError) -> Contents { try read(name, in: folder) }

    /// Reads an unused journal: one that ``write(unused:in:)`` wrote as such, or one that ``remove(in:)`` renamed.
    static func readUnused(in folder: URL) throws(HandoffError) -> Contents { try read(unused, in: folder) }

    private static func read(_ name: String, in folder: URL) throws(HandoffError) -> Contents {
        let file = folder.appending(name + ".json")
        guard let kind = try FileSystem.kind(of: file) else { return .missing }
        guard case .file(0...maximumLength) = kind else { return .damaged }
        let json = try FileSystem.contents(of: file)
        guard let journal = FileSystem.decode(Self.self, from: json), journal.isValid else { return .damaged }
        return .journal(journal)
    }

    /// Writes the journal, as a whole or not at all. It can be an unused journal, for files that aren't being installed
    /// yet.
    func write(unused isUnused: Bool = false, in folder: URL) throws(HandoffError) {
        try FileSystem.save(self, as: isUnused ? Self.unused : Self.name, in: folder)
    }

    /// Makes the journal an unused one, before its files are removed. This also succeeds on a full disk.
    static func remove(in folder: URL) throws(HandoffError) {
        guard try FileSystem.kind(of: folder.appending(name + ".json")) != nil else { return }
        try FileSystem.rename(folder.appending(name + ".json"), to: folder.appending(unused + ".json"))
        try FileSystem.flush(folder)
    }

    private var isValid: Bool {
        let names = files.map(\.name)
        guard destination.isEmpty || FileNames.hasValidLengths(destination),
            (try? FileNames.check(names)) != nil, defaults?.isWhole ?? true,
            files.allSatisfy({ 0...HandoffManifest.maximumNumber ~= $0.length && HandoffManifest.isDigest($0.sha256) }),
            (kept ?? [:]).values.allSatisfy({ 0...HandoffManifest.maximumNumber ~= $0.length }),
            folders.allSatisfy(FileNames.hasValidLengths)
        else { return false }
        return Set(names.flatMap(FileNames.folders)).isSuperset(of: folders)
    }
}
