import Foundation

/// The place for a folder that is deleted with the test.
final class TemporaryFolder {
    let url: URL

    init(_ name: String) { url = .temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)") }

    deinit { try? FileManager.default.removeItem(at: url) }
}
