import ReferralFoundation

/// The record of an installation, which survives a crash. The name of its file is the installation's ``State``.
///
/// It is checked like data from a stranger: it may name only paths in the destination that a package may also name.
struct InstallationJournal: Codable, Sendable {
    /// Where an installation is. It changes by renaming the journal's file, which also succeeds on a full disk.
    enum State: String, CaseIterable {
        /// The files are being put in place or back. The next launch puts the old ones back.
        case replacing
        /// Every file is in its place, and the user defaults are set.
        case installed
        /// The files aren't being installed yet, or are no longer needed. Only this file may be there beside another one.
        case unused

        fileprivate var fileName: String { rawValue + ".json" }
    }

    /// The path of the destination, from the storage. The system may move both together.
    let destination: String
    /// Whether the files are in the destination, because it is on a different volume than the journal.
    let isBesideFiles: Bool
    /// The new files. SQLite's logs are last.
    let files: [HandoffManifest.File]
    /// The new folders that the files need, each one after its parent.
    var folders: [String] = []
    /// SQLite's files beside replaced databases. They would damage the new databases.
    var companions: [String] = []
    /// The versions of the files that have a second name in `old`, since an app may write to such a file in place.
    var kept: [String: FileSystem.Version] = [:]
    /// The user defaults; `nil` without any.
    let defaults: HandoffDefaults.Change?
    /// The data for the receipt.
    let note: Data

    // MARK: On the disk

    private static let maximumLength = 64 << 20

    enum Contents {
        case missing
        case damaged
        case journal(InstallationJournal, State)
    }

    /// Reads the journal of an installation.
    ///
    /// - Throws: ``HandoffError`` if it can't be read now, such as on a locked device.
    static func read(in folder: URL) throws(HandoffError) -> Contents {
        for state in State.allCases {
            let file = folder.appending(state.fileName)
            guard let kind = try FileSystem.kind(of: file) else { continue }
            guard case .file(0...maximumLength) = kind,
                let journal = FileSystem.decode(Self.self, from: try FileSystem.contents(of: file)), journal.isValid
            else { return .damaged }
            return .journal(journal, state)
        }
        return .missing
    }

    /// Writes the journal, as a whole or not at all.
    func write(_ state: State, in folder: URL) throws(HandoffError) {
        try FileSystem.save(self, as: state.rawValue, in: folder)
    }

    /// Changes the state of an installation that has a journal.
    static func rename(_ old: State, to new: State, in folder: URL) throws(HandoffError) {
        let file = folder.appending(old.fileName)
        guard old != new, try FileSystem.kind(of: file) != nil else { return }
        try FileSystem.rename(file, to: folder.appending(new.fileName))
    }

    private var isValid: Bool {
        let names = files.map(\.name)
        guard destination.isEmpty || FileNames.hasValidLengths(destination),
            (try? FileNames.check(names)) != nil, defaults?.isWhole ?? true,
            files.allSatisfy({ 0...HandoffManifest.maximumNumber ~= $0.length && HandoffManifest.isDigest($0.sha256) }),
            kept.values.allSatisfy({ 0...HandoffManifest.maximumNumber ~= $0.length }),
            (folders + companions).allSatisfy(FileNames.hasValidLengths)
        else { return false }
        return Set(names.flatMap(FileNames.folders)).isSuperset(of: folders)
            && Set(names).isSuperset(of: companions.map { SQLite.database(of: $0) ?? "" })
    }
}
