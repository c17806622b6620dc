import ReferralFoundation

/// The installations of one receiver, in its storage.
///
/// Each one has a folder `installations/ID` with a journal and its files: see ``Installation``. No package can name a
/// path there. Only one process works there at a time.
struct InstallationFolder: Sendable {
    /// The name of a receiver's storage in the app's folder.
    static let storageName = "DataHandoff"
    /// The name of the folder in the destination for the files of an installation, if the destination is on another
    /// volume.
    static let nameBesideFiles = ".handoff"

    /// The receiver's storage.
    let storage: URL
    /// The folder with the packages, if both apps share one.
    let packages: HandoffFolder?
    /// The user defaults that the receiver accepts.
    let defaults: HandoffDefaults?

    private var folder: URL { storage.appending("installations") }
    private var damagedFolder: URL { storage.appending("damaged") }

    // MARK: Installing

    /// Puts files in place, and sets user defaults. On an error, both are as they were, at the latest after the next launch.
    ///
    /// - Parameters:
    ///   - files: The offer's files, or none of them. The staged ones stay.
    ///   - offer: The offer, whose note is kept with the files until ``Installation/finish()``.
    ///   - destination: The folder for the files.
    ///   - replacing: Whether files with the same names are replaced.
    /// - Returns: The installation, which keeps the old files until ``Installation/finish()``.
    /// - Throws: ``HandoffError``.
    func install(
        _ files: [HandoffManifest.File],
        of offer: HandoffOffer,
        into destination: URL,
        replacing: Bool
    ) throws(HandoffError) -> Installation {
        guard let note = try? JSONEncoder().encode(offer.note) else { throw .invalidManifest }
        let file = offer.staged.appending(HandoffDefaults.fileName)
        let list =
            try offer.defaultsKeys.isEmpty ? nil : FileSystem.contents(of: file, atMost: HandoffDefaults.maximumSize)
        let place = folder.appending(UUID().uuidString)
        let made = try FileSystem.makeFolder(destination, flushing: true)
        do throws(HandoffError) {
            return try locked { () throws(HandoffError) in
                // An installation that is undone later would replace newer files. The staged files were just read, so the device isn't
                // locked, and a journal that can't be read is damaged.
                _ = try resumeAll(in: destination, isUnlocked: true)
                if let name = try reservedName(in: files.map(\.name), destination) { throw .invalidName(name) }
                try FileSystem.makeFolder(place)
                let journal = InstallationJournal(
                    destination: try path(to: destination),
                    isBesideFiles: try !FileSystem.areOnOneVolume(storage, destination),
                    // SQLite would add an old log to a new database, and a new log to an old one.
                    files: files.filter { SQLite.database(of: $0.name) == nil }
                        + files.filter { SQLite.database(of: $0.name) != nil },
                    defaults: try list.flatMap { list throws(HandoffError) in try defaults?.change(to: list) },
                    note: note
                )
                var installation = Installation(place, in: self, destination, journal, .unused)
                try installation.install(from: offer.staged, replacing: replacing)
                return installation
            }
        } catch {
            // An installation that couldn't be undone now is undone later, in its destination.
            if case .missing = try? InstallationJournal.read(in: place) {
                for folder in made.reversed() { FileSystem.removeIfEmpty(folder) }
            }
            throw error
        }
    }

    /// Runs a closure while no other process works with these installations.
    func locked<Value>(_ operation: () throws(HandoffError) -> Value) throws(HandoffError) -> Value {
        try FileSystem.makeOwnFolder(folder)
        return try FileSystem.locking(folder, operation)
    }

    /// The first name that leads to a file of a library.
    private func reservedName(in names: [String], _ destination: URL) throws(HandoffError) -> String? {
        let place = try FileSystem.realPath(destination)
        var closed: [String] = []
        // Before the first package, the other app hasn't made the folder with the packages yet.
        for folder in [storage, packages?.url].compactMap(\.self) {
            closed.append(try FileSystem.realPath(ofPlanned: folder))
        }
        return names.first { name in
            let path = place + "/" + name
            return LibraryFiles.isReached(by: path) || closed.contains { FileNames.isSame(path, orInside: $0) }
        }
    }

    /// The path from the storage to a folder.
    private func path(to destination: URL) throws(HandoffError) -> String {
        let from = FileNames.names(in: try FileSystem.realPath(storage))
        let to = FileNames.names(in: try FileSystem.realPath(destination))
        let common = zip(from, to).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        return (from[common...].map { _ in ".." } + to[common...]).joined(separator: "/")
    }

    // MARK: Recovering

    /// Undoes interrupted installations. Call it before anything opens the files or reads the user defaults.
    ///
    /// - Parameter destination: The folder into which files are installed.
    /// - Returns: The complete installations that aren't finished.
    /// - Throws: ``HandoffError`` if an installation can't be undone now.
    func recover(in destination: URL) throws(HandoffError) -> [Installation] {
        guard try FileSystem.kind(of: folder) != nil else { return [] }
        return try locked { () throws(HandoffError) in try resumeAll(in: destination) }
    }

    /// The folders of installations whose journal is damaged.
    func damaged() throws(HandoffError) -> [URL] {
        guard case .folder = try FileSystem.kind(of: damagedFolder) else { return [] }
        return try FileSystem.names(in: damagedFolder).map(damagedFolder.appending)
    }

    /// Undoes each interrupted installation in a destination, even if another one fails.
    ///
    /// - Parameters:
    ///   - destination: The destination.
    ///   - isUnlocked: Whether files can be read. If so, an installation whose journal can't be read is moved aside, since its
    ///     destination isn't known. If not, it stays, and its error is thrown.
    /// - Returns: The complete installations.
    /// - Throws: The error of an installation that couldn't be undone.
    private func resumeAll(in destination: URL, isUnlocked: Bool = false) throws(HandoffError) -> [Installation] {
        var installed: [Installation] = []
        var failure: HandoffError?
        for name in try FileSystem.names(in: folder) {
            let place = folder.appending(name)
            do throws(HandoffError) {
                guard case .folder = try FileSystem.kind(of: place) else {
                    try FileSystem.remove(place)
                    continue
                }
                let contents = Result { () throws(HandoffError) in try InstallationJournal.read(in: place) }
                switch isUnlocked ? (try? contents.get()) ?? .damaged : try contents.get() {
                case .missing: try FileSystem.remove(place)
                case .damaged: try moveAside(place)
                case .journal(let journal, .unused) where !journal.isBesideFiles: try FileSystem.remove(place)
                case .journal(let journal, let state):
                    // Only its own destination shows where its files are.
                    guard try isFor(destination, journal) else { continue }
                    guard try reservedName(in: journal.files.map(\.name), destination) == nil else {
                        try moveAside(place)
                        continue
                    }
                    var installation = Installation(place, in: self, destination, journal, state)
                    if state == .installed {
                        installed.append(installation)
                    } else if try !installation.undo() {
                        try moveAside(place)
                    }
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return installed
    }

    /// Whether an installation is in an existing destination. One without files, which only sets user defaults, is in any.
    private func isFor(_ destination: URL, _ journal: InstallationJournal) throws(HandoffError) -> Bool {
        guard try FileSystem.kind(of: destination) != nil else { return false }
        if journal.files.isEmpty { return true }
        return try FileSystem.isPath(FileSystem.realPath(storage) + "/" + journal.destination, to: destination)
    }

    private func moveAside(_ place: URL) throws(HandoffError) {
        try FileSystem.makeOwnFolder(damagedFolder)
        let name = place.lastPathComponent
        let isFree = try FileSystem.kind(of: damagedFolder.appending(name)) == nil
        try FileSystem.rename(place, to: damagedFolder.appending(isFree ? name : UUID().uuidString))
        try FileSystem.flush(damagedFolder)
        try FileSystem.flush(folder)
    }
}
