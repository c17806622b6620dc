#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A ledger in a file of its own, as JSON.
///
/// It replaces the file as a whole, so that a crash leaves the old file or the new one, never half of one.
public struct FileLedger: ReferralLedger, Sendable, Equatable {
    /// Where the file is, or will be after the first save. Its folder must exist.
    public let url: URL

    /// Creates a ledger in the file at a URL.
    public nonisolated init(url: URL) {
        self.url = url
    }

    /// The record in the file; an empty one if there is no file yet.
    ///
    /// - Throws: `DecodingError` if the file holds something else, or Foundation's error if it can't be read.
    public func load() throws -> LedgerRecord {
        do {
            return try JSONDecoder().decode(LedgerRecord.self, from: Data(contentsOf: url))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return LedgerRecord()
        }
    }

    /// Replaces the file.
    ///
    /// - Throws: Foundation's error if the file can't be written.
    public func save(_ record: LedgerRecord) throws {
        try JSONEncoder().encode(record).write(to: url, options: .atomic)
    }
}
