import ReferralFoundation

/// An installation of files into a folder and of user defaults, of all of them or none.
///
/// The new files are in `new`, and the files that they replace are in `old`. Nothing is changed before there is a journal. While files
/// are being put in place, every old file has a second name in `old`. So the next launch can put them back, whichever steps were done
/// and reached the disk. The old files stay until ``finish()``.
struct Installation: Sendable {
    private let folder: URL
    private let all: InstallationFolder
    private let destination: FileTree
    /// The folder with the new and the old files.
    private let files: FileTree
    private let (new, old): (FileTree, FileTree)
    /// The names of the new files, by their folded forms.
    private let names: [String: String]
    private var journal: InstallationJournal
    private var state: InstallationJournal.State

    /// The caller's data, which is kept with the installation.
    var note: Data { journal.note }

    init(
        _ folder: URL,
        in all: InstallationFolder,
        _ destination: URL,
        _ journal: InstallationJournal,
        _ state: InstallationJournal.State
    ) {
        self.folder = folder
        self.all = all
        self.journal = journal
        self.state = state
        self.destination = FileTree(destination)
        files =
            journal.isBesideFiles
            ? self.destination.tree(InstallationFolder.nameBesideFiles + "/" + folder.lastPathComponent)
            : FileTree(folder)
        new = files.tree("new")
        old = files.tree("old")
        names = Dictionary(journal.files.map { (FileNames.folded($0.name), $0.name) }) { $1 }
    }

    /// Puts files in place. On an error, the destination is unchanged, at the latest after the next launch.
    mutating func install(from staged: URL, replacing: Bool) throws(HandoffError) {
        do throws(HandoffError) {
            if journal.isBesideFiles {
                // The journal must be on the disk before the files that only it names.
                try journal.write(.unused, in: folder)
                try FileSystem.flush(folder.deletingLastPathComponent())
            }
            try prepare(from: staged, replacing: replacing)
            try flushFiles()
            // If only flushing it fails, the journal is there already.
            state = .replacing
            try journal.write(.replacing, in: folder)
        } catch {
            try? discard()
            throw error
        }
        do throws(HandoffError) { try replace() } catch {
            _ = try undo()
            throw error
        }
    }

    private mutating func enter(_ new: InstallationJournal.State) throws(HandoffError) {
        try InstallationJournal.rename(state, to: new, in: folder)
        // If only flushing fails, the new name is there already.
        state = new
        try FileSystem.flush(folder)
    }

    // MARK: Staging

    /// Gives the new files, and those that they replace, second names in the installation's own folders.
    private mutating func prepare(from staged: URL, replacing: Bool) throws(HandoffError) {
        var outer: Set<String> = []
        for name in journal.files.map(\.name) {
            switch try destination.kind(of: name) {
            case nil: break
            case .file: guard replacing else { throw .fileExists(name) }
            default: throw .fileFailed(path: name, reason: "something other than a file has this name")
            }
            try new.makeFolders(for: name)
            try FileSystem.duplicate(staged.appending(name), to: new.url(name))
            if try keep(name) {
                try FileSystem.copyAttributes(from: destination.url(name), to: new.url(name))
                if try SQLite.isDatabase(old.url(name)) { try keepCompanions(of: name) }
            }
            try checkCompanions(of: name)
            for folder in FileNames.folders(of: name) where outer.insert(folder).inserted {
                if try destination.kind(of: folder) == nil { journal.folders.append(folder) }
            }
        }
    }

    /// Gives a file in the destination its second name in `old`, and records its version. Returns whether there is one.
    private mutating func keep(_ name: String) throws(HandoffError) -> Bool {
        guard case .file = try destination.kind(of: name) else { return false }
        try old.makeFolders(for: name)
        // A change after this moment counts as one since the installation.
        let version = try FileSystem.version(of: destination.url(name))
        journal.kept[name] = version
        try FileSystem.duplicate(destination.url(name), to: old.url(name))
        return true
    }

    /// Flushes the names of the new and the old files, from the outermost folder.
    private func flushFiles() throws(HandoffError) {
        try FileSystem.flush(folder.deletingLastPathComponent())
        if journal.isBesideFiles {
            try FileSystem.flush(destination.folder)
            try FileSystem.flush(destination.url(InstallationFolder.nameBesideFiles))
            try FileSystem.flushAll(files.folder)
        }
        try FileSystem.flushAll(folder)
    }

    // MARK: Finishing

    /// Removes the replaced files.
    func finish() throws(HandoffError) {
        guard try FileSystem.kind(of: folder) != nil else { return }
        var installation = self
        try all.locked { () throws(HandoffError) in
            // Another process may have finished it meanwhile.
            guard try FileSystem.kind(of: folder) != nil else { return }
            try installation.discard()
        }
    }

    /// Removes the files. Once the journal is unused, they have no meaning.
    private mutating func discard() throws(HandoffError) {
        try enter(.unused)
        if journal.isBesideFiles {
            // Doesn't follow a symbolic link in the folder's place.
            if case .folder = try destination.kind(of: InstallationFolder.nameBesideFiles) {
                try FileSystem.remove(files.folder)
                try FileSystem.flush(destination.url(InstallationFolder.nameBesideFiles))
                FileSystem.removeIfEmpty(destination.url(InstallationFolder.nameBesideFiles))
            }
        }
        try FileSystem.remove(folder)
    }
}

// MARK: - Into place and back

extension Installation {
    /// Puts every file in place, and sets the user defaults.
    private mutating func replace() throws(HandoffError) {
        for name in journal.companions { try FileSystem.remove(destination.url(name)) }
        for file in journal.files { try put(file.name, from: new) }
        try flushDestination()
        if let change = journal.defaults { try all.defaults?.set(change) }
        try enter(.installed)
        // The app may change the file that has this second name.
        try? FileSystem.remove(new.folder)
    }

    /// Puts everything back, and removes the installation. Files that were changed since stay.
    ///
    /// - Returns: Whether every file can be reached. If a part of a path isn't a folder, nothing is changed.
    mutating func undo() throws(HandoffError) -> Bool {
        if state != .unused {
            for file in journal.files {
                for tree in [destination, new, old] where try tree.obstacle(to: file.name) != nil { return false }
            }
            try enter(.replacing)
            if let change = journal.defaults { try all.defaults?.restore(change) }
            for file in journal.files { try takeBack(file) }
            for name in journal.companions where try destination.kind(of: name) == nil { try putBack(name) }
            for name in journal.folders.reversed() { FileSystem.removeIfEmpty(destination.url(name)) }
            try flushDestination()
        }
        try discard()
        return true
    }

    /// Removes a new file, or puts the one back that it has replaced.
    private func takeBack(_ file: HandoffManifest.File) throws(HandoffError) {
        let (kind, place) = (try destination.kind(of: file.name), destination.url(file.name))
        if let kind {
            // By its contents, since the app may have written to it in place.
            guard case .file(file.length) = kind else { return }
            guard try FileSystem.copy(place, to: nil, atMost: file.length) == (file.length, file.sha256) else { return }
        }
        if journal.kept[file.name] != nil {
            try putBack(file.name)
        } else if kind != nil {
            try FileSystem.remove(place)
        }
    }

    /// Puts a replaced file back. A log isn't put beside a database that has changed since: SQLite would add it to that one.
    private func putBack(_ name: String) throws(HandoffError) {
        guard case .file = try old.kind(of: name) else { return }
        if let database = SQLite.database(of: name), case .file = try destination.kind(of: database) {
            guard try isUnchanged(database) else { return }
        }
        try put(name, from: old)
    }

    /// Gives a file a second name in the destination, replacing an existing file.
    private func put(_ name: String, from tree: FileTree) throws(HandoffError) {
        let temporary = files.url("temporary")
        try FileSystem.remove(temporary)
        try FileSystem.duplicate(tree.url(name), to: temporary)
        try destination.makeFolders(for: name)
        try FileSystem.rename(temporary, to: destination.url(name))
    }

    /// Whether the file in the destination is the original one, unchanged.
    private func isUnchanged(_ name: String) throws(HandoffError) -> Bool {
        let (here, kept) = (destination.url(name), old.url(name))
        guard case .file(let length) = try old.kind(of: name), case .file(length) = try destination.kind(of: name)
        else { return false }
        // An app that has written to the file in place has changed both.
        if try FileSystem.isSame(here, kept) { return try FileSystem.version(of: here) == journal.kept[name] }
        return try FileSystem.copy(here, to: nil, atMost: length) == FileSystem.copy(kept, to: nil, atMost: length)
    }

    /// Flushes the folders with new names, the outermost first.
    private func flushDestination() throws(HandoffError) {
        try FileSystem.flush(destination.folder)
        var flushed: Set<String> = []
        for folder in journal.files.flatMap({ FileNames.folders(of: $0.name) }) where flushed.insert(folder).inserted {
            if case .folder = try destination.kind(of: folder) { try FileSystem.flush(destination.url(folder)) }
        }
    }
}

// MARK: - Databases

extension Installation {
    /// Keeps SQLite's files beside a replaced database. They would damage the new one.
    private mutating func keepCompanions(of name: String) throws(HandoffError) {
        for other in SQLite.companions.map({ name + $0 }) where try !isNew(other) {
            if try keep(other) { journal.companions.append(other) }
        }
    }

    /// Throws if SQLite would read another file in the destination as a part of a new database, or a new file as a part of
    /// another database.
    private func checkCompanions(of name: String) throws(HandoffError) {
        if let base = SQLite.database(of: name), case .file = try destination.kind(of: base), try !isNew(base) {
            throw .fileExists(base)
        }
        guard try SQLite.isDatabase(new.url(name)) else { return }
        for other in SQLite.companions.map({ name + $0 }) where journal.kept[other] == nil {
            if case .file(1...) = try destination.kind(of: other), try !isNew(other) { throw .fileExists(other) }
        }
    }

    /// Whether a name in the destination is that of a new file. Names that differ in letter case may be the same.
    private func isNew(_ name: String) throws(HandoffError) -> Bool {
        guard let new = names[FileNames.folded(name)] else { return false }
        return try FileSystem.isSame(destination.url(name), destination.url(new))
    }
}
