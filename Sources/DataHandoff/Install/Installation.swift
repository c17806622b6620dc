#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files that take their places in a folder, all of them or none.
///
/// In the folder itself is `.handoff/TRANSFER`, with the new files in `new`, what was there before in `old`, and a journal. Until
/// the journal is there, nothing has happened; from then on ``recover(in:)`` puts every file in its place. The old files
/// stay until ``finish()``.
struct Installation: Sendable {
    private struct Journal: Codable {
        /// The names of the new files.
        var names: [String]
        /// The names of what SQLite keeps beside old files. It would damage the new ones.
        var companions: [String]
        /// The folders that the new files need and that aren't there, each after the one that it is in.
        var folders: [String]
        /// Whether every file is in its place.
        var isInstalled = false
        /// What the receipt needs.
        var note: Data
    }

    private static let workspace = ".handoff"
    /// A write-ahead log, its index, and a rollback journal.
    private static let companions = ["-wal", "-shm", "-journal"]

    private let destination: URL
    private let folder: URL
    private var journal: Journal

    /// What the caller wants to know when it is installed.
    var note: Data { journal.note }

    private init(_ destination: URL, transfer: String, _ journal: Journal) {
        self.destination = destination
        folder = destination.appending(Self.workspace + "/" + transfer)
        self.journal = journal
    }

    // MARK: Installing

    /// Puts files in place. On an error the folder is as it was.
    ///
    /// - Parameters:
    ///   - manifest: The files' names, lengths and digests.
    ///   - staged: Where they are. They stay there.
    ///   - destination: The folder that they come into.
    ///   - replacing: Whether files of the same names are replaced.
    ///   - note: What to keep with them until ``finish()``.
    /// - Returns: The installation, which keeps the old files until ``finish()``.
    /// - Throws: ``HandoffError``.
    static func install(
        _ manifest: HandoffManifest,
        from staged: URL,
        into destination: URL,
        replacing: Bool,
        note: Data
    ) throws(HandoffError) -> Installation {
        try FileSystem.makeFolder(destination)
        var installation = Installation(
            destination,
            transfer: manifest.transfer,
            Journal(names: manifest.files.map(\.name), companions: [], folders: [], note: note)
        )
        try FileSystem.locking(destination) { () throws(HandoffError) in
            try installation.install(manifest.files, from: staged, replacing: replacing)
        }
        return installation
    }

    private mutating func install(
        _ files: [HandoffManifest.File],
        from staged: URL,
        replacing: Bool
    ) throws(HandoffError) {
        // The same package may have been installed before.
        for earlier in try Self.recoverLocked(destination) where earlier.folder == folder { try earlier.removeFolder() }
        do throws(HandoffError) {
            for file in files { try bring(file, from: staged, replacing: replacing) }
            for name in journal.names {
                for folder in FileNames.folders(of: name) where !journal.folders.contains(folder) {
                    if try FileSystem.kind(of: destination.appending(folder)) == nil { journal.folders.append(folder) }
                }
                for companion in Self.companions.map({ name + $0 }) where !journal.names.contains(companion) {
                    if try FileSystem.kind(of: destination.appending(companion)) != nil {
                        journal.companions.append(companion)
                    }
                }
            }
            try FileSystem.flushAll(folder)
            try FileSystem.flush(folder.deletingLastPathComponent())
            try FileSystem.flush(destination)
            try writeJournal()
        } catch {
            try? removeFolder()
            throw error
        }
        do throws(HandoffError) {
            try complete()
        } catch {
            try undo()
            throw error
        }
    }

    /// Gives a staged file its second name, or copies it if it is on another volume.
    private func bring(
        _ file: HandoffManifest.File,
        from staged: URL,
        replacing: Bool
    ) throws(HandoffError) {
        let (from, place) = (staged.appending(file.name), folder.appending("new/" + file.name))
        let target = destination.appending(file.name)
        switch try FileSystem.kind(of: target) {
        case nil: break
        case .file: guard replacing else { throw .fileExists(file.name) }
        default: throw .fileFailed(path: file.name, reason: "something else than a file has this name")
        }
        try FileSystem.makeFolder(place.deletingLastPathComponent())
        if try !FileSystem.link(from, to: place) {
            let (_, sha256) = try FileSystem.copy(from, to: place, atMost: file.length)
            guard sha256 == file.sha256 else { throw .corrupt }
        }
        try FileSystem.copyAttributes(from: target, to: place)
    }

    /// Puts every file in its place, however many are there already.
    private mutating func complete() throws(HandoffError) {
        for name in journal.companions {
            if try FileSystem.kind(of: destination.appending(name)) != nil, try FileSystem.kind(of: old(name)) == nil {
                try FileSystem.makeFolder(old(name).deletingLastPathComponent())
                try FileSystem.rename(destination.appending(name), to: old(name))
            }
        }
        for name in journal.names where try FileSystem.kind(of: new(name)) != nil {
            let target = destination.appending(name)
            if try FileSystem.kind(of: target) != nil, try FileSystem.kind(of: old(name)) == nil {
                try FileSystem.makeFolder(old(name).deletingLastPathComponent())
                if try !FileSystem.link(target, to: old(name)) { try FileSystem.rename(target, to: old(name)) }
            }
            try FileSystem.makeFolder(target.deletingLastPathComponent())
            try FileSystem.rename(new(name), to: target)
        }
        try flushTargets()
        journal.isInstalled = true
        try writeJournal()
    }

    /// Puts everything back, in steps that ``complete()`` could undo again.
    private mutating func undo() throws(HandoffError) {
        // The journal may say so already, if only flushing it has failed.
        if journal.isInstalled {
            journal.isInstalled = false
            try writeJournal()
        }
        for name in journal.names {
            let target = destination.appending(name)
            if try FileSystem.kind(of: new(name)) == nil { try FileSystem.rename(target, to: new(name)) }
            guard try FileSystem.kind(of: old(name)) != nil else { continue }
            // A link is a second name of the file that is still there.
            if try FileSystem.kind(of: target) == nil {
                try FileSystem.rename(old(name), to: target)
            } else {
                try FileSystem.remove(old(name))
            }
        }
        for name in journal.companions where try FileSystem.kind(of: old(name)) != nil {
            try FileSystem.rename(old(name), to: destination.appending(name))
        }
        for name in journal.folders.reversed() { FileSystem.removeIfEmpty(destination.appending(name)) }
        try flushTargets()
        try removeFolder()
    }

    // MARK: Recovering

    /// Completes what was begun in a folder, and undoes it if it can't be completed. Call it before anything opens the files.
    ///
    /// - Returns: What is installed and not finished.
    static func recover(in destination: URL) throws(HandoffError) -> [Installation] {
        guard try FileSystem.kind(of: destination) != nil else { return [] }
        return try FileSystem.locking(destination) { () throws(HandoffError) in try recoverLocked(destination) }
    }

    private static func recoverLocked(_ destination: URL) throws(HandoffError) -> [Installation] {
        let workspace = destination.appending(Self.workspace)
        var installed: [Installation] = []
        for name in try FileSystem.names(in: workspace) {
            let file = workspace.appending(name + "/journal.json")
            guard try FileSystem.kind(of: file) != nil else {
                // Nothing was put in place yet, or all but this was removed.
                try FileSystem.remove(workspace.appending(name))
                continue
            }
            let journal: Journal
            // One that can't be read, such as on a locked device, is no reason to remove what it speaks of.
            let json = try FileSystem.contents(of: file)
            do { journal = try JSONDecoder().decode(Journal.self, from: json) } catch {
                throw .fileFailed(path: file.lastPathComponent, reason: String(describing: error))
            }
            var installation = Installation(destination, transfer: name, journal)
            if !journal.isInstalled {
                do throws(HandoffError) {
                    try installation.complete()
                } catch {
                    try installation.undo()
                    throw error
                }
            }
            installed.append(installation)
        }
        FileSystem.removeIfEmpty(workspace)
        return installed
    }

    /// Removes what was there before.
    func finish() throws(HandoffError) {
        guard try FileSystem.kind(of: destination) != nil else { return }
        try FileSystem.locking(destination) { () throws(HandoffError) in try removeFolder() }
    }

    // MARK: Places

    private func old(_ name: String) -> URL { folder.appending("old/" + name) }

    private func new(_ name: String) -> URL { folder.appending("new/" + name) }

    private func writeJournal() throws(HandoffError) { try FileSystem.save(journal, as: "journal", in: folder) }

    /// Removes the journal first. Without one, the rest has no meaning.
    private func removeFolder() throws(HandoffError) {
        try FileSystem.remove(folder.appending("journal.json"))
        try FileSystem.remove(folder)
        FileSystem.removeIfEmpty(folder.deletingLastPathComponent())
    }

    /// Flushes the folders that names were put into.
    private func flushTargets() throws(HandoffError) {
        var flushed: Set<String> = []
        for name in journal.names + journal.companions {
            var target = destination.appending(name).deletingLastPathComponent()
            while target.path.count >= destination.path.count, flushed.insert(target.path).inserted {
                if try FileSystem.kind(of: target) != nil { try FileSystem.flush(target) }
                target = target.deletingLastPathComponent()
            }
        }
    }
}
