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
        /// The process ends after so many bytes, of a line, or before or after all of it, of a file that is replaced.
        case ends(after: Int)
    }

    /// What is on the disk, for all processes.
    final class Disk {
        fileprivate(set) var journal: [UInt8] = []
        fileprivate(set) var aside: [[UInt8]] = []
        /// The folders with content, and what is in them. One that is removed and made again is no longer being filled.
        fileprivate(set) var folders: [String: Set<String>] = [:] {
            didSet { fillers = fillers.filter { folders[$0.key] != nil } }
        }
        /// The files of the catalog in these folders, and beside them.
        var files: [String: ContentFiles] = [:]
        /// The folders that are complete.
        fileprivate(set) var complete: Set<String> = []
        /// The folders that are being filled, and by which process.
        fileprivate var fillers: [String: ObjectIdentifier] = [:]
        /// The number of the file that is called *journal*; `nil` if there is none.
        fileprivate var file: Int?
        fileprivate var fileCount = 0
        /// The files that are locked. A process that has ended has none.
        fileprivate var locked: Set<Int> = []

        fileprivate func makeFile() -> Int {
            fileCount += 1
            file = fileCount
            return fileCount
        }
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
    /// The file that this process has open and locked.
    private var file: Int?

    init(_ disk: Disk = Disk()) { self.disk = disk }

    var journal: [UInt8] { disk.journal }
    var aside: [[UInt8]] { disk.aside }
    var complete: Set<String> { disk.complete }
    var folders: [String: Set<String>] {
        get { disk.folders }
        set { disk.folders = newValue }
    }

    /// Whether something has removed the journal.
    var isJournalRemoved: Bool {
        get { disk.file == nil }
        set { if newValue { (disk.file, disk.journal) = (nil, []) } }
    }

    /// Lets go of the journal, as the end of the process does.
    func close() {
        if let file { disk.locked.remove(file) }
        file = nil
    }

    func openJournal() async throws(UnlocksError) -> [UInt8] {
        await use()
        guard !hasEnded else { throw .storage("The process has ended.") }
        guard !isLocked else { throw .storage("Operation not permitted") }
        try lockJournal()
        return disk.journal
    }

    func appendToJournal(_ lines: [UInt8], at length: Int) async throws(UnlocksError) -> Bool {
        await use()
        guard file == disk.file else { return false }
        journalWrites += 1
        try write { disk.journal = Array(disk.journal.prefix(length) + lines.prefix($0)) }
        return true
    }

    func replaceJournal(_ bytes: [UInt8]) async throws(UnlocksError) -> Int {
        await use()
        journalWrites += 1
        guard !hasEnded else { throw .storage("The process has ended.") }
        var bytes = bytes
        if file != disk.file {
            try lockJournal()
            bytes = disk.journal + bytes
        }
        try write {
            guard $0 > 0 else { return }
            close()
            disk.journal = bytes
            file = disk.makeFile()
            if let file, !hasEnded { disk.locked.insert(file) }
        }
        return bytes.count
    }

    private func lockJournal() throws(UnlocksError) {
        guard file == nil || file != disk.file else { return }
        let new = disk.file ?? disk.makeFile()
        guard !disk.locked.contains(new) else {
            isRefused()
            throw .folderInUse
        }
        close()
        file = new
        disk.locked.insert(new)
    }

    func keepAside(_ bytes: [UInt8]) async throws(UnlocksError) {
        await use()
        try write { if $0 > 0, !disk.aside.contains(bytes) { disk.aside.append(bytes) } }
    }

    nonisolated func folder(_ name: String) -> URL { URL(fileURLWithPath: "/content/\(name)") }

    func makeFolder(_ name: String) async throws(UnlocksError) -> URL {
        await use()
        try write {
            guard $0 > 0 else { return }
            disk.complete.remove(name)
            if disk.folders[name] == nil { disk.folders[name] = [] }
            disk.fillers[name] = ObjectIdentifier(self)
        }
        return folder(name)
    }

    func completeFolder(_ name: String, _ description: String) async throws(UnlocksError) -> Bool {
        await use()
        guard disk.fillers[name] == ObjectIdentifier(self) else { return false }
        try write {
            guard $0 > 0 else { return }
            willComplete(name)
            disk.complete.insert(name)
            disk.fillers[name] = nil
        }
        return true
    }

    func isComplete(_ name: String) async -> Bool {
        await use()
        return disk.complete.contains(name) && disk.folders[name] != nil
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
