import Foundation
import TestSupport
import Testing

@testable import Unlocks

/// A folder for content, and a system that loads files in the background for one process after the other.
final class BackgroundStage: @unchecked Sendable {
    let system = SimulatedSystem()
    let root = TemporaryFolder("background")

    /// The folder of a purchase.
    var content: URL { root.url.appending(path: "purchase-1") }

    var folder: ContentFolder { ContentFolder(content) }

    /// The transport of a new process, which is connected.
    func launch() -> BackgroundTransport {
        let transport = BackgroundTransport(system.session())
        transport.connect(root.url)
        return transport
    }

    /// What a file of the catalog has in its place; `nil` if it isn't there.
    func contents(_ path: String) -> Data? { try? Data(contentsOf: content.appending(path: path)) }

    /// The names of the files beside the content.
    var left: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.files.path())
        return (names ?? []).map { name in name.split(separator: ".").dropFirst().last.map(String.init) ?? name }
            .sorted()
    }

    /// Begins to load files.
    func load(_ files: [CatalogItem.File], _ transport: BackgroundTransport) -> Task<Bool, any Error> {
        let downloads = ContentDownloads(transport, freeSpace: { _ in nil })
        let (_, reports) = AsyncStream.makeStream(of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
        return Task {
            do throws(ContentDownloads.Failure) {
                guard try await downloads.load(files, into: content, besides: [], reports) else { return false }
            } catch {
                throw error.error
            }
            try FileManager.default.createDirectory(at: content, withIntermediateDirectories: true)
            try await downloads.install(files, in: content)
            return true
        }
    }

    /// Begins to load files, and returns when the system loads so many.
    func begin(
        _ files: [CatalogItem.File],
        _ transport: BackgroundTransport,
        underway count: Int = 1
    ) async -> Task<Bool, any Error> {
        let task = load(files, transport)
        await until { system.underway.count == count }
        return task
    }
}

/// Asserts how a load ends.
func expectFailure(_ error: DownloadError, _ task: Task<Bool, any Error>) async {
    await #expect(throws: error) { try await task.value }
}
