import Foundation
import Testing

@testable import Unlocks

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The session of the system with a real `URLSession`, whose configuration isn't that of a background session, and a real
/// server. Its tasks end with the process. There is no task with data to continue with, since it may trap on Linux.
struct DownloadTaskSessionTests {
    private let site: DownloadSite
    private let downloads: ContentDownloads
    private let file: CatalogItem.File

    init() throws {
        let site = try DownloadSite()
        self.site = site
        let transport = BackgroundTransport(DownloadTaskSession { .withoutTraces }) { [server = site.server] url in
            server.address.deletingLastPathComponent().appending(path: url.path().dropFirst())
        }
        downloads = ContentDownloads(transport, freeSpace: { _ in nil })
        file = try .of("gold", .gold)
    }

    private func expectFailure(_ error: DownloadError) async {
        await #expect(throws: error) { try await site.load([file], downloads) }
        #expect(site.contents("gold") == nil)
        #expect(site.left == [])
    }

    private func expectWhole() async throws {
        try await site.put("gold", answer())
        #expect(try await site.load([file], downloads))
        #expect(site.contents("gold") == .gold)
        #expect(site.left == ["list"])
    }

    @Test("files are loaded, and requested without compression")
    func load() async throws {
        let silver = Data.sample(1_000, seed: 1)
        try await site.put("silver", answer(.file, silver))
        try await site.put("gold", answer(.slow))
        #expect(try await site.load([file, .of("silver", silver)], downloads))
        #expect(site.contents("gold") == .gold)
        #expect(site.contents("silver") == silver)
        #expect(try await site.requests("gold").map { $0["Accept-Encoding"] } == ["identity"])
    }

    @Test("a status that isn't a success is a failure", arguments: [404, 416, 503])
    func statuses(code: Int) async throws {
        try await site.put("gold", status(code, ["Retry-After": "7"]))
        await expectFailure(.status(code, retryAfter: code == 503 ? 7 : nil))
        try await expectWhole()
    }

    @Test("a body that never ends is cancelled, and one that is too short is refused", arguments: [true, false])
    func wrongLength(isEndless: Bool) async throws {
        try await site.put("gold", isEndless ? answer(.endless) : answer(.unsized, Data.gold.dropLast(1)))
        await expectFailure(.wrongLength)
        try await expectWhole()
    }

    @Test("a broken connection is a failure")
    func broken() async throws {
        try await site.put("gold", answer(.broken))
        await #expect(throws: DownloadError.self) { try await site.load([file], downloads) }
        try await expectWhole()
    }

    @Test("a load that is cancelled ends")
    func cancelled() async throws {
        try await site.put("gold", answer(.silent))
        let task = Task { try await site.load([file], downloads) }
        try await site.isRequested("gold")
        task.cancel()
        await #expect(throws: DownloadError.cancelled) { try await task.value }
        try await expectWhole()
    }
}
