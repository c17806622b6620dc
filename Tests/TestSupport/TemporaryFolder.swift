package import Foundation

/// The place for a folder that is deleted with the test.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init(_ name: String) { url = .temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)") }

    deinit { try? FileManager.default.removeItem(at: url) }
}
