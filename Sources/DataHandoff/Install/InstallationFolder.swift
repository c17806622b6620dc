#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The installations of one receiver, in its storage.
///
/// Each has a folder `installations/ID` with a journal, and with its files, see ``Installation``. No package can name a path
/// there. One process at a time works in it.
struct InstallationFolder: Sendable {
    /// The name of a receiver's storage in the folder that the app has given.
    static let storageName = "DataHandoff"
    /// The name of the folder for the files of installations whose destination is on another volume. It is in the destination.
    static let nameBesideFiles = ".handoff"

    private let storage: URL
    /// The folders that no file may be installed into.
    private let reserved: [URL]

    private var folder: URL { storage.appending("installations") }
    private var damagedFolder: URL { storage.appending("damaged") }

    /// Creates the folder in a storage.
    ///
    /// - Parameters:
    ///   - storage: The receiver's storage.
    ///   - group: The folder that both apps share, if there is one.
    init(in storage: URL, group: URL?) {
        self.storage = storage
        reserved = [storage] + (group.map { [HandoffFolder(in: $0).url] } ?? [])
    }

    // MARK: Installing

    /// Puts files in place. On an error the destination is as it was.
    ///
    /// - Parameters:
    ///   - manifest: The files' names, lengths and digests.
    ///   - staged: Where they are. They stay there.
    ///   - destination: The folder that they come into.
    ///   - replacing: Whether files of the same names are replaced.
    ///   - note: What to keep with them until ``Installation/finish()``.
    /// - Returns: The installation, which keeps the old files until ``Installation/finish()``.
    /// - Throws: ``HandoffError``.
    func install(
        _ manifest: HandoffManifest,
        from staged: URL,
        into destination: URL,
        replacing: Bool,
        note: Data
    ) throws(HandoffError) -> Installation {
        let made = try FileSystem.makeFolder(destination, flushing: true)
        do throws(HandoffError) {
            return try locked { () throws(HandoffError) in
                // One that is completed later would replace newer files.
                _ = try settle(destination)
                if let name = try reservedName(in: manifest.files.map(\.name), destination) { throw .invalidName(name) }
                let place = folder.appending(UUID().uuidString)
                try FileSystem.makeFolder(place)
                let journal = Journal(
                    destination: try path(to: destination),
                    isBesideFiles: try !FileSystem.areOnOneVolume(storage, destination),
                    files: manifest.files.map { Journal.File(name: $0.name, length: $0.length, sha256: $0.sha256) },
                    note: note
                )
                var installation = Installation(place, in: self, destination, journal)
                try installation.install(from: staged, replacing: replacing)
                return installation
            }
        } catch {
            for folder in made.reversed() { FileSystem.removeIfEmpty(folder) }
            throw error
        }
    }

    /// Does something while no other process works with these installations.
    func locked<Value>(_ operation: () throws(HandoffError) -> Value) throws(HandoffError) -> Value {
        try FileSystem.makeOwnFolder(folder)
        return try FileSystem.locking(folder, operation)
    }

    /// The first name of a file that would come into a folder of this library.
    private func reservedName(in names: [String], _ destination: URL) throws(HandoffError) -> String? {
        let place = try FileSystem.realPath(destination)
        for folder in reserved where try FileSystem.kind(of: folder) != nil {
            let folder = try FileSystem.realPath(folder)
            if let name = names.first(where: { FileNames.isSame(place + "/" + $0, orInside: folder) }) { return name }
        }
        return nil
    }

    /// The path from the storage to a folder.
    private func path(to destination: URL) throws(HandoffError) -> String {
        let from = try FileSystem.realPath(storage).split(separator: "/")
        let to = try FileSystem.realPath(destination).split(separator: "/")
        let common = zip(from, to).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        return (from[common...].map { _ in ".." } + to[common...]).joined(separator: "/")
    }

    // MARK: Recovering

    /// Completes what was begun, and undoes it if it can't be completed. Call it before anything opens the files.
    ///
    /// - Parameter destination: The folder that files come into.
    /// - Returns: What is installed there and not finished.
    /// - Throws: ``HandoffError`` if something can't be completed now.
    func recover(in destination: URL) throws(HandoffError) -> [Installation] {
        guard try FileSystem.kind(of: destination) != nil, try FileSystem.kind(of: folder) != nil else { return [] }
        let (installed, undone) = try locked { () throws(HandoffError) in try settle(destination) }
        if let error = undone.first { throw error }
        return installed
    }

    /// The folders of installations whose journal is damaged.
    func damaged() throws(HandoffError) -> [URL] {
        guard case .folder = try FileSystem.kind(of: damagedFolder) else { return [] }
        return try FileSystem.names(in: damagedFolder).map(damagedFolder.appending)
    }

    /// Completes or undoes each installation in a destination, also if another one fails.
    ///
    /// - Returns: What is installed, and why anything was undone.
    /// - Throws: The error of one that could neither be completed nor undone.
    private func settle(
        _ destination: URL
    ) throws(HandoffError) -> (installed: [Installation], undone: [HandoffError]) {
        var (installed, undone): ([Installation], [HandoffError]) = ([], [])
        var failure: HandoffError?
        for name in try FileSystem.names(in: folder) {
            let place = folder.appending(name)
            do throws(HandoffError) {
                guard case .folder = try FileSystem.kind(of: place) else {
                    try FileSystem.remove(place)
                    continue
                }
                switch try Journal.read(in: place) {
                case .missing: try removeUnused(place, in: destination)
                case .damaged: try moveAside(place)
                case .journal(let journal):
                    guard try isFor(destination, journal) else { continue }
                    guard try reservedName(in: journal.files.map(\.name), destination) == nil else {
                        try moveAside(place)
                        continue
                    }
                    var installation = Installation(place, in: self, destination, journal)
                    switch try installation.resume() {
                    case .installed: installed.append(installation)
                    case .undone(let error): undone.append(error)
                    case .obstructed: try moveAside(place)
                    }
                }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return (installed, undone)
    }

    private func isFor(_ destination: URL, _ journal: Journal) throws(HandoffError) -> Bool {
        try FileSystem.isSameFolder(FileSystem.realPath(storage) + "/" + journal.destination, destination.path)
    }

    /// Removes what was never installed, or isn't needed any more.
    private func removeUnused(_ place: URL, in destination: URL) throws(HandoffError) {
        if case .journal(let journal) = try Journal.readUnused(in: place), journal.isBesideFiles {
            // Only its own destination shows where its files are.
            guard try isFor(destination, journal) else { return }
            return try Installation(place, in: self, destination, journal).discard()
        }
        try FileSystem.remove(place)
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
