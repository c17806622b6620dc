import Foundation
import Unlocks

/// A disk in memory. It outlives the process that writes it, can be full, and can end the process in the middle of a write.
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

    private(set) var journal: [UInt8] = []
    private(set) var aside: [[UInt8]] = []
    /// The folders with content, and what is in them.
    var folders: [String: Set<String>] = [:]
    /// The folders that are complete.
    private(set) var complete: Set<String> = []
    /// What the next write does.
    var next: () -> Write = { .succeeds }
    /// Waits before each call, as a slow disk does.
    var pause: @MainActor () async -> Void = {}
    /// Whether the process has ended, so that nothing is written any more.
    var hasEnded = false
    /// How often something was written to the journal.
    private(set) var journalWrites = 0
    /// Whether something has removed the journal since it was opened.
    var isJournalRemoved = false { didSet { if isJournalRemoved { journal = [] } } }

    /// Whether the device is locked, so that nothing can be opened.
    var isLocked = false

    func openJournal() async throws(UnlocksError) -> [UInt8] {
        await pause()
        guard !isLocked else { throw .storage("Operation not permitted") }
        isJournalRemoved = false
        return journal
    }

    func appendToJournal(_ lines: [UInt8], at length: Int) async throws(UnlocksError) -> Bool {
        await pause()
        guard !isJournalRemoved else { return false }
        journalWrites += 1
        try write { journal = Array(journal.prefix(length) + lines.prefix($0)) }
        return true
    }

    func replaceJournal(_ bytes: [UInt8]) async throws(UnlocksError) {
        await pause()
        journalWrites += 1
        try write {
            guard $0 > 0 else { return }
            isJournalRemoved = false
            journal = bytes
        }
    }

    func keepAside(_ bytes: [UInt8]) async throws(UnlocksError) {
        await pause()
        try write { if $0 > 0, !aside.contains(bytes) { aside.append(bytes) } }
    }

    func makeFolder(_ name: String) async throws(UnlocksError) -> URL {
        await pause()
        try write {
            guard $0 > 0 else { return }
            complete.remove(name)
            if folders[name] == nil { folders[name] = [] }
        }
        return URL(fileURLWithPath: "/content/\(name)")
    }

    func completeFolder(_ name: String, _ description: String) async throws(UnlocksError) -> Bool {
        await pause()
        guard folders[name] != nil else { return false }
        try write { if $0 > 0 { complete.insert(name) } }
        return true
    }

    func completeFolders() async throws(UnlocksError) -> Set<String> {
        await pause()
        return complete.intersection(folders.keys)
    }

    func removeFolder(_ name: String) async throws(UnlocksError) {
        await pause()
        try write {
            guard $0 > 0 else { return }
            complete.remove(name)
            folders[name] = nil
        }
    }

    private func write(_ bytes: (Int) -> Void) throws(UnlocksError) {
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

    /// Damages the journal.
    func damage(_ change: (inout [UInt8]) -> Void) { change(&journal) }
}
