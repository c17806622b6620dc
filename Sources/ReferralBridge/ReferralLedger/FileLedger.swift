#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A ledger in a file of its own: the milliseconds of the newest tap, as text.
///
/// The file is replaced as a whole, so that a crash leaves the old one or the new one and never half of one.
public struct FileLedger: ReferralLedger, Hashable {
    /// Why a ledger's file says nothing.
    public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The file holds something else than a number. Remove it, or name another file.
        case noLedger(path: String)

        /// A sentence fit to show.
        public var description: String {
            switch self {
            case .noLedger(let path): "“\(path)” is no ledger: it does not hold a number of milliseconds."
            }
        }
    }

    /// Where the file is, or will be once something is remembered. Its folder must exist.
    public let path: String

    /// A ledger in the file at a path.
    public init(path: String) {
        self.path = path
    }

    /// The tap in the file; `nil` where there is no file yet.
    ///
    /// - Throws: ``Failure``, or Foundation's error where the file cannot be read.
    public func newestReported() throws -> Timestamp? {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, lines[1].isEmpty, let milliseconds = Double(lines[0]), milliseconds.isFinite else {
            throw Failure.noLedger(path: path)
        }
        return Timestamp(milliseconds: milliseconds)
    }

    /// Replaces the file.
    ///
    /// - Throws: Foundation's error where the file cannot be written.
    public func remember(_ tap: Timestamp) throws {
        try Data("\(tap.milliseconds)\n".utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
