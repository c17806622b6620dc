#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ledger in a file of its own, as JSON.
///
/// The file is replaced as a whole, so that a crash leaves the old one or the new one and never half of one.
public struct FileLedger: ReferralLedger, Sendable, Hashable {
    /// Where the file is, or will be once something is remembered. Its folder must exist.
    public let path: String

    /// A ledger in the file at a path.
    public nonisolated init(path: String) {
        self.path = path
    }

    /// The record in the file; an empty one where there is no file yet.
    ///
    /// - Throws: `DecodingError` where the file holds something else, or Foundation's error where it cannot be read.
    public func record() throws -> LedgerRecord {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return LedgerRecord()
        }
        return try JSONDecoder().decode(LedgerRecord.self, from: data)
    }

    /// Replaces the file.
    ///
    /// - Throws: Foundation's error where the file cannot be written.
    public func save(_ record: LedgerRecord) throws {
        try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
