import Foundation
import Unlocks

/// What a process sees of a disk in memory, which outlives it. The disk can be full or slow, and can end the process in the
/// middle of a write.
@MainActor
final class MemoryStorage: UnlocksStorage {
    /// What a write does.
    enum Write {
        case succeeds
        /// The disk is full.
        case fails
        /// The process ends before the write, or after it if the number is greater than 0.
        case ends(after: Int)
    }

    /// What is on the disk, for all processes.
    final class Disk {
        fileprivate(set) var journal: [UInt8] = []
        /// The folders with content, and what is in them.
        fileprivate(set) var folders: [String: Set<String>] = [:]
        /// The files of the catalog in these folders, and beside them.
        var files: [String: ContentFiles] = [:]
        /// The folders that are complete.
        fileprivate(set) var complete: Set<String> = []
        /// The process that has the journal. A process that has ended has none.
        fileprivate var owner: ObjectIdentifier?
    }

    let disk: Disk
    /// What the next write does.
    var next: () -> Write = { .succeeds }
    /// Called when another process has the journal, so that nothing is written.
    var isRefused: () -> Void = {}
    /// Called when a folder is complete, before it counts.
    var willComplete: (String) -> Void = { _ in }
    /// Called when a folder is removed.
    var willRemove: (String) -> Void = { _ in }
    /// Waits before each call, as a slow disk does.
    var pause: @MainActor () async -> Void = {}
    /// Whether the process has ended, so that nothing is written any more.
    var hasEnded = false { didSet { if hasEnded { close() } } }
    /// How often something was written to the journal, and how often the disk was used at all.
    private(set) var (journalWrites, calls) = (0, 0)
    /// Whether the device is locked, so that nothing can be opened.
    var isLocked = false
    init(_ disk: Disk = Disk()) { self.disk = disk }

    var journal: [UInt8] { disk.journal }
    var complete: Set<String> { disk.complete }
    var folders: [String: Set<String>] {
        get { disk.folders }
        set { disk.folders = newValue }
    }

    /// Something removes the journal.
    func removeJournal() { disk.journal = [] }

    /// Lets go of the journal, as the end of the process does.
    func close() { if disk.owner == ObjectIdentifier(self) { disk.owner = nil } }

    func openJournal() async throws(UnlocksError) -> [UInt8] {
        await use()
        guard !hasEnded else { throw .storage("The process has ended.") }
        guard !isLocked else { throw .storage("Operation not permitted") }
        guard [nil, ObjectIdentifier(self)].contains(disk.owner) else {
            isRefused()
            throw .folderInUse
        }
        disk.owner = ObjectIdentifier(self)
        return disk.journal
    }

    func writeJournal(_ bytes: [UInt8]) async throws(UnlocksError) {
        await use()
        journalWrites += 1
        try write { if $0 > 0 { disk.journal = bytes } }
    }

    nonisolated func folder(_ name: String) -> URL { URL(fileURLWithPath: "/content/\(name)") }

    func makeFolder(_ name: String) async throws(UnlocksError) -> URL {
        await use()
        try write {
            guard $0 > 0 else { return }
            disk.complete.remove(name)
            if disk.folders[name] == nil { disk.folders[name] = [] }
        }
        return folder(name)
    }

    func completeFolder(_ name: String, _ description: [UInt8]) async throws(UnlocksError) -> Bool {
        await use()
        guard disk.folders[name] != nil else { return false }
        try write {
            guard $0 > 0 else { return }
            willComplete(name)
            disk.complete.insert(name)
        }
        return true
    }

    func completeFolders() async throws(UnlocksError) -> Set<String> {
        await use()
        return disk.complete.intersection(disk.folders.keys)
    }

    func removeFolder(_ name: String) async throws(UnlocksError) {
        await use()
        if !hasEnded { willRemove(name) }
        try write {
            guard $0 > 0 else { return }
            disk.complete.remove(name)
            disk.folders[name] = nil
            // The process may end between the two folders.
            if $0 > 1 { disk.files[name] = nil } else { disk.files[name]?.placed = [:] }
        }
    }

    func use() async {
        calls += 1
        await pause()
    }

    func write(_ bytes: (Int) -> Void) throws(UnlocksError) {
        guard !hasEnded else { throw .storage("The process has ended.") }
        switch next() {
        case .succeeds: bytes(.max)
        case .fails: throw .storage("The disk is full.")
        case .ends(let count):
            bytes(count)
            hasEnded = true
            throw .storage("The process has ended.")
        }
    }

    /// Loses all content, as after a restore from a backup.
    func loseContent() { (disk.folders, disk.files) = ([:], [:]) }

    /// Damages the journal.
    func damage(_ change: (inout [UInt8]) -> Void) { change(&disk.journal) }
}
