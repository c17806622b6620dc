import DataHandoff
import Foundation
import Testing

/// Only what the system reports to be missing is missing.
///
/// A symbolic link to itself can't be followed, which is an error for every user, even for root.
struct MissingTests {
    private func loop(in folder: URL) throws -> URL {
        let loop = folder.appending(path: "loop")
        try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
        return loop
    }

    @Test("a destination that can't be looked at isn't one without installations")
    func destination() async throws {
        let apps = try Apps()
        _ = try await apps.offer(["a": "1"]).install(into: apps.documents)
        let destination = try loop(in: apps.folder).appending(path: "documents")
        await #expect(throws: HandoffError.self) { try await apps.receiver.recover(in: destination) }
    }

    @Test("a folder that isn't there, or is a file, holds nothing")
    func nothing() async throws {
        let apps = try Apps()
        for missing in ["none", "lite/boards.sqlite/none"] {
            let folder = apps.folder.appending(path: missing)
            #expect(try await apps.receiver.recover(in: folder).receipts.isEmpty)
        }
    }
}
