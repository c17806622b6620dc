public import ReferralFoundation

/// A ledger in a JSON file.
///
/// It replaces the file as a whole, so a crash leaves either the old file or the new one.
///
/// The arrival in a stranger's ledger would count, with its signature. If the app receives data from another one with `DataHandoff`,
/// call the file `ledger.json`, in a folder `ReferralBridge`: no package can replace a file of this name.
public struct FileLedger: ReferralLedger, Sendable, Equatable {
    /// The location of the file. The first save creates it, and its folder.
    public let url: URL

    /// Creates a ledger in the file at a URL.
    public nonisolated init(_ url: URL) { self.url = url }

    /// Reads the file; returns `nil` if there is none yet.
    ///
    /// - Throws: Foundation's error if it can't be read.
    public func load() throws -> Data? {
        do { return try Data(contentsOf: url) } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        }
    }

    /// Replaces the file. Once it returns, the data is on the disk.
    ///
    /// - Throws: Foundation's error if the file can't be written.
    public func save(_ data: Data) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try OpenFile<CocoaError>.replace(url, with: Array(data))
    }
}

extension CocoaError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) {
        let code: Code = problem.isNoSpace ? .fileWriteOutOfSpace : .fileWriteUnknown
        self.init(code, userInfo: ["NSDebugDescription": problem.description])
    }
}
