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
    /// What the next write does.
    var next: () -> Write = { .succeeds }
    /// Whether the process has ended, so that nothing is written any more.
    var hasEnded = false

    /// Whether the device is locked, so that nothing can be opened.
    var isLocked = false

    func readJournal() throws(UnlocksError) -> [UInt8] {
        guard !isLocked else { throw .storage("Operation not permitted") }
        return journal
    }

    func appendToJournal(_ line: [UInt8]) throws(UnlocksError) {
        try write { journal += line.prefix($0) }
    }

    func replaceJournal(_ bytes: [UInt8]) throws(UnlocksError) {
        try write { if $0 > 0 { journal = bytes } }
    }

    func keepAside(_ bytes: [UInt8]) throws(UnlocksError) { aside.append(bytes) }

    func makeFolder(_ name: String, for description: String) throws(UnlocksError) -> URL {
        try write { if $0 > 0, folders[name] == nil { folders[name] = [] } }
        return URL(fileURLWithPath: "/content/\(name)")
    }

    func folderNames() throws(UnlocksError) -> Set<String> { Set(folders.keys) }

    func removeFolder(_ name: String) throws(UnlocksError) {
        try write { if $0 > 0 { folders[name] = nil } }
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
