#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a person has, in memory and on the disk. A change counts once it is on the disk.
///
/// One change at a time is decided, written and counted, so that what it was decided by still holds. Nothing here uses the
/// disk on the main actor.
@MainActor
final class Book {
    private(set) var ledger = Ledger()
    /// Why nothing can be written; `nil` once the journal is open.
    var closed: UnlocksError? = .notStarted
    /// Called before an entry counts, with the unlocks whose state it may change; `nil` is all.
    var willChange: (Set<Name>?) -> Void = { _ in }
    /// Called once entries are on the disk.
    var didWrite: () -> Void = {}

    private let storage: any UnlocksStorage
    private let turns = Turns()
    /// The length of the journal, in bytes.
    private var length = 0

    init(_ storage: any UnlocksStorage) { self.storage = storage }

    var isOpen: Bool { closed == nil }

    /// Opens the journal.
    ///
    /// - Returns: The numbers of its damaged lines, from 1.
    func open() async throws(UnlocksError) -> [Int] {
        try await turns.take { () throws(UnlocksError) in
            guard !isOpen else { return [] }
            do throws(UnlocksError) {
                let contents = try await Journal.open(storage)
                willChange(nil)
                var ledger = contents.ledger
                (ledger.environment, ledger.additions) = (self.ledger.environment, self.ledger.additions)
                (self.ledger, length, closed) = (ledger, contents.length, nil)
                return contents.damagedLines
            } catch {
                closed = error
                throw error
            }
        }
    }

    /// Changes what the person has.
    ///
    /// - Parameter decide: Returns the entries, which are written as one, and a value.
    /// - Returns: That value, once the entries are on the disk.
    /// - Throws: Why they can't be written, or what the closure throws. Nothing has changed then.
    func change<Value>(
        _ decide: (Ledger) throws(UnlocksError) -> (entries: [JournalEntry], value: Value)
    ) async throws(UnlocksError) -> Value {
        try await turns.take { () throws(UnlocksError) in
            if let closed { throw closed }
            let (entries, value) = try decide(ledger)
            guard !entries.isEmpty else { return value }
            let lines = await Self.lines(entries)
            if try await storage.appendToJournal(lines, at: length) {
                length += lines.count
            } else {
                let all = await Self.lines(ledger.entries + entries)
                length = try await storage.replaceJournal(all)
            }
            count(entries)
            didWrite()
            return value
        }
    }

    /// Lets entries count until the app ends, without writing them.
    func count(_ entries: [JournalEntry]) {
        for entry in entries {
            willChange(ledger.unlocks(changedBy: entry))
            ledger.apply(entry)
        }
    }

    /// Changes what the ledger counts.
    func follow(environment: StoreEnvironment) {
        willChange(nil)
        ledger.environment = environment
    }

    func follow(additions: [Name: [Name]]) {
        willChange(nil)
        ledger.additions = additions
    }

    private nonisolated static func lines(_ entries: [JournalEntry]) async -> [UInt8] { Journal.lines(entries) }
}

// MARK: - Content

extension Book {
    func makeFolder(_ name: String) async throws(UnlocksError) -> URL {
        try await turns.take { () throws(UnlocksError) in try await storage.makeFolder(name) }
    }

    func completeFolder(_ name: String, _ description: String) async throws(UnlocksError) -> Bool {
        try await turns.take { () throws(UnlocksError) in try await storage.completeFolder(name, description) }
    }

    func completeFolders() async throws(UnlocksError) -> Set<String> {
        try await turns.take { () throws(UnlocksError) in try await storage.completeFolders() }
    }

    func removeFolder(_ name: String) async throws(UnlocksError) {
        try await turns.take { () throws(UnlocksError) in try await storage.removeFolder(name) }
    }
}
