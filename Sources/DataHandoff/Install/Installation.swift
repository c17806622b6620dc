import ReferralFoundation

/// An installation of files into a folder and of user defaults, of all of them or none.
///
/// The new files are in `new`, and the files that they replace are in `old`. Nothing is changed before there is a
/// journal. While files are being put in place or back, every new file has a second name in `new` and every old file one in
/// `old`. So the next launch can start again, whichever steps were done and reached the disk. The old files stay until
/// ``finish()``.
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

    /// Whether it installs the files of a package, or its user defaults if it has no files.
    func isOf(_ manifest: HandoffManifest) -> Bool {
        let files = manifest.files.filter { !$0.isDefaults }
        return journal.files.elementsEqual(files, by: { $0.isSame(as: $1) })
            && (!files.isEmpty || journal.defaults != nil)
    }

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

    // MARK: Installing

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
        do throws(HandoffError) { try complete() } catch {
            _ = try undo()
            throw error
        }
    }

    enum Outcome {
        case installed
        /// Everything is as it was before, for this reason. It is `nil` if the app already knows.
        case undone(HandoffError?)
        /// The installation was undone as far as possible. Other files can't be reached, because a part of their path
        /// isn't a folder. They are kept.
        case obstructed
    }

    /// Continues after a crash or an error: completes the installation, or undoes it if it can't be completed.
    ///
    /// - Throws: ``HandoffError`` if it could neither be completed nor undone.
    mutating func resume() throws(HandoffError) -> Outcome {
        var reason: HandoffError?
        switch state {
        case .installed: return .installed
        case .replacing:
            do throws(HandoffError) {
                try complete()
                return .installed
            } catch {
                reason = error
            }
        case .undoing: break
        case .unused:
            try discard()
            return .undone(nil)
        }
        return try undo() ? .undone(reason) : .obstructed
    }

    private mutating func enter(_ new: InstallationJournal.State) throws(HandoffError) {
        try InstallationJournal.rename(state, to: new, in: folder)
        // If only flushing fails, the new name is there already.
        state = new
        try FileSystem.flush(folder)
    }

    /// Moves the new files and those that they replace into the installation's own folders.
    private mutating func prepare(from staged: URL, replacing: Bool) throws(HandoffError) {
        var outer: Set<String> = []
        for place in journal.files.indices {
            let file = journal.files[place]
            switch try destination.kind(of: file.name) {
            case nil: break
            case .file:
                guard replacing else { throw .fileExists(file.name) }
                journal.files[place].isReplacing = true
            default: throw .fileFailed(path: file.name, reason: "something other than a file has this name")
            }
            try bring(file, from: staged)
            if journal.files[place].isReplacing {
                try FileSystem.copyAttributes(from: destination.url(file.name), to: new.url(file.name))
                try keep(file.name)
                for companion in try companions(of: file) { try keep(companion) }
            }
            try checkCompanions(of: file)
            for folder in FileNames.folders(of: file.name) where outer.insert(folder).inserted {
                if try destination.kind(of: folder) == nil { journal.folders.append(folder) }
            }
        }
    }

    /// Gives a staged file its second name, or copies it if it is on another volume.
    private func bring(_ file: InstallationJournal.File, from staged: URL) throws(HandoffError) {
        let from = staged.appending(file.name)
        guard case .file(file.length) = try FileSystem.kind(of: from) else { throw .corrupt }
        try new.makeFolders(for: file.name)
        try FileSystem.duplicate(from, to: new.url(file.name))
    }

    /// Gives a file in the destination its second name in `old`, and records its version.
    private mutating func keep(_ name: String) throws(HandoffError) {
        guard case .file = try destination.kind(of: name) else { return }
        try old.makeFolders(for: name)
        // A change after this moment counts as one since the installation.
        let version = try FileSystem.version(of: destination.url(name))
        journal.kept[name] = version
        try FileSystem.duplicate(destination.url(name), to: old.url(name))
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
    /// Puts every file in place that isn't there already.
    private mutating func complete() throws(HandoffError) {
        // All places are checked before anything is changed.
        for file in journal.files { try checkPlace(of: file) }
        for file in journal.files {
            for name in try companions(of: file) where try isKept(name) {
                try FileSystem.remove(destination.url(name))
            }
        }
        for file in journal.files where try !FileSystem.isSame(destination.url(file.name), new.url(file.name)) {
            try put(file.name, from: new)
        }
        try flushDestination()
        if let change = journal.defaults { try all.defaults?.set(change) }
        try enter(.installed)
        // The app may change the file that has this second name. The path to it isn't trusted.
        if (try? files.kind(of: "new")) != nil { try? FileSystem.remove(new.folder) }
    }

    /// Throws if a file isn't in place, and can't be put there without data loss.
    private func checkPlace(of file: InstallationJournal.File) throws(HandoffError) {
        _ = try new.kind(of: file.name)
        let target = try destination.kind(of: file.name)
        if target != nil, try FileSystem.isSame(destination.url(file.name), new.url(file.name)) { return }
        guard try isWhole(file) else { throw .corrupt }
        if target != nil, try isInPlace(file) { return }
        try checkCompanions(of: file)
        if target == nil { return }
        // The existing file was changed or added since.
        guard try isKept(file.name) else { throw .fileExists(file.name) }
        for name in try companions(of: file) where try !isKept(name) {
            if case .file = try destination.kind(of: name) { throw .fileExists(name) }
        }
    }

    /// Puts everything back, in steps that ``complete()`` could reverse. Other files stay.
    ///
    /// - Returns: Whether every file can be reached. If not, this installation's files are kept.
    private mutating func undo() throws(HandoffError) -> Bool {
        try enter(.undoing)
        if let change = journal.defaults { try all.defaults?.restore(change) }
        var files: [InstallationJournal.File] = []
        for file in journal.files where try isReachable(file) { files.append(file) }
        for file in files {
            let target = try destination.kind(of: file.name)
            if target != nil, try !isInPlace(file) { continue }
            if try old.kind(of: file.name) != nil {
                if target == nil, try isCompanion(file.name) { continue }
                try put(file.name, from: old)
            } else if target != nil, !file.isReplacing {
                try FileSystem.remove(destination.url(file.name))
            }
        }
        // Logs come last: SQLite would add an old log to a database that has changed since.
        for file in files where try isKept(file.name) {
            for name in try companions(of: file) where try old.kind(of: name) != nil {
                if try destination.kind(of: name) == nil { try put(name, from: old) }
            }
        }
        for name in journal.folders.reversed() { FileSystem.removeIfEmpty(destination.url(name)) }
        try flushDestination()
        guard files.count == journal.files.count else { return false }
        try discard()
        return true
    }

    /// Whether a file's path contains only folders.
    private func isReachable(_ file: InstallationJournal.File) throws(HandoffError) -> Bool {
        for tree in [destination, new, old] where try tree.obstacle(to: file.name) != nil { return false }
        return true
    }

    /// Gives a file a second name in the destination, replacing an existing file.
    private func put(_ name: String, from tree: FileTree) throws(HandoffError) {
        let temporary = files.url("temporary")
        try FileSystem.remove(temporary)
        try FileSystem.duplicate(tree.url(name), to: temporary)
        try destination.makeFolders(for: name)
        try FileSystem.rename(temporary, to: destination.url(name))
    }

    /// Whether a new file matches its digest.
    private func isWhole(_ file: InstallationJournal.File) throws(HandoffError) -> Bool {
        guard case .file(file.length) = try new.kind(of: file.name) else { return false }
        return try FileSystem.copy(new.url(file.name), to: nil, atMost: file.length) == (file.length, file.sha256)
    }

    /// Whether a new file, or one with the same contents, is in its place.
    private func isInPlace(_ file: InstallationJournal.File) throws(HandoffError) -> Bool {
        guard case .file(file.length) = try destination.kind(of: file.name) else { return false }
        if try FileSystem.isSame(destination.url(file.name), new.url(file.name)) { return true }
        let place = destination.url(file.name)
        return try FileSystem.copy(place, to: nil, atMost: file.length) == (file.length, file.sha256)
    }

    /// Whether the file in the destination is the original one, unchanged.
    private func isKept(_ name: String) throws(HandoffError) -> Bool {
        let (here, kept) = (destination.url(name), old.url(name))
        guard try old.kind(of: name) != nil else { return false }
        guard try FileSystem.isEqual(here, kept) else { return false }
        // An app that has written to the file in place has changed both.
        guard try FileSystem.isSame(here, kept) else { return true }
        return try FileSystem.version(of: here) == journal.kept[name]
    }

    /// Flushes the folders with new names, the outermost first.
    private func flushDestination() throws(HandoffError) {
        try FileSystem.flush(destination.folder)
        var flushed: Set<String> = []
        for folder in journal.files.flatMap({ FileNames.folders(of: $0.name) }) where flushed.insert(folder).inserted {
            let url = destination.url(folder)
            guard try destination.obstacle(to: folder) == nil, case .folder = try FileSystem.kind(of: url) else {
                continue
            }
            try FileSystem.flush(url)
        }
    }
}

// MARK: - Databases

extension Installation {
    /// The names of SQLite's files beside a replaced database. They would damage the new database.
    private func companions(of file: InstallationJournal.File) throws(HandoffError) -> [String] {
        guard try old.kind(of: file.name) != nil else { return [] }
        let names = try names(beside: file)
        // An encrypted database is recognized only by its log, in the old folder or in the destination.
        if try SQLite.isDatabase(old.url(file.name)) { return names }
        for tree in [old, destination] {
            for name in names where try tree.obstacle(to: name) == nil {
                if try SQLite.isLog(tree.url(name)) { return names }
            }
        }
        return []
    }

    /// Whether a replaced file belonged to a database that was replaced too.
    private func isCompanion(_ name: String) throws(HandoffError) -> Bool {
        guard let base = SQLite.database(of: name), let new = names[FileNames.folded(base)] else { return false }
        guard try old.kind(of: new) != nil else { return false }
        if try SQLite.isDatabase(old.url(new)) { return true }
        return try SQLite.isLog(old.url(name))
    }

    /// Throws if SQLite would read another file in the destination as a part of a new database, or a new file as a part of
    /// another database.
    private func checkCompanions(of file: InstallationJournal.File) throws(HandoffError) {
        if let base = SQLite.database(of: file.name), case .file = try destination.kind(of: base), try !isNew(base) {
            throw .fileExists(base)
        }
        let isDatabase = try SQLite.isDatabase(new.url(file.name))
        for suffix in SQLite.companions {
            let name = file.name + suffix
            guard try !isNew(name), try !isKept(name), case .file = try destination.kind(of: name) else { continue }
            let place = destination.url(name)
            // Beside a file that isn't known as a database, only a log that is one counts.
            if try isDatabase ? SQLite.isPart(place, suffix) : SQLite.isLog(place) { throw .fileExists(name) }
        }
    }

    private func names(beside file: InstallationJournal.File) throws(HandoffError) -> [String] {
        var others: [String] = []
        for suffix in SQLite.companions where try !isNew(file.name + suffix) { others.append(file.name + suffix) }
        return others
    }

    /// Whether a name in the destination is that of a new file. Names that differ in letter case may be the same.
    private func isNew(_ name: String) throws(HandoffError) -> Bool {
        guard let new = names[FileNames.folded(name)] else { return false }
        return try FileSystem.isSame(destination.url(name), destination.url(new))
    }
}
