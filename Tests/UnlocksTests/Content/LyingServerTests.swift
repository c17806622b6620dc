import Foundation
import ReferralBridge
import Testing

@testable import Unlocks

/// A server's answers are input from a stranger: never more than the file's length is kept, and nothing counts without its digest.
struct LyingServerTests {
    private let site: DownloadSite
    private let gold = Data.gold
    private let otherHalf = Data.gold[30_000...]

    init() throws { site = try DownloadSite() }

    /// Asserts that the file can't be loaded, and that less of it is left than it has.
    private func expectFailure(_ error: DownloadError) async throws {
        let file = try CatalogItem.File.of("gold", gold)
        await #expect(throws: error) { try await site.load([file]) }
        #expect(site.contents("gold") == nil)
        #expect(ContentFolder(site.content).length(of: ContentFolder(site.content).part(of: file)) ?? 0 <= 60_000)
    }

    /// Loads half of the file.
    private func interrupt() async throws {
        await #expect(throws: DownloadError.self) { try await site.load([.of("gold", gold)]) }
    }

    /// Asserts that the next attempt succeeds, with a request for the whole file.
    private func expectWhole() async throws {
        try await site.put("gold", answer())
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
        #expect(try await site.requests("gold").last?["Range"] == nil)
    }

    // MARK: Ranges

    @Test(
        "another range than was asked for is refused, and the next attempt loads the whole file",
        arguments: [
            "bytes 0-59999/60000", "bytes 30001-59999/60000", "bytes 30000-59998/60000",
            "bytes 30000-59999/60001", "bytes 30000-29999/60000", "bytes */60000", "30000-59999/60000", "",
            "bytes -30000-59999/60000", "bytes 30000-99999999999999999999/99999999999999999999",
        ]
    )
    func wrongRange(range: String) async throws {
        let lie = ["Content-Range": range, "ETag": #""1""#]
        try await site.put("gold", answer(.broken), answer(.whole, otherHalf, status: 206, lie))
        try await interrupt()
        try await expectFailure(.wrongRange)
        try await expectWhole()
    }

    // MARK: Lengths

    @Test("a file of another length is refused before it is loaded", arguments: [-1, 1, 5_000_000])
    func wrongLength(difference: Int) async throws {
        let other = difference < 0 ? gold.dropLast(-difference) : gold + Data(count: difference)
        try await site.put("gold", answer(.file, other))
        try await expectFailure(.wrongLength)
        try await expectWhole()
    }

    @Test("a body without a length that is too short or never ends is refused", arguments: [true, false])
    func unsized(isEndless: Bool) async throws {
        try await site.put("gold", isEndless ? answer(.endless) : answer(.unsized, gold.dropLast(1)))
        try await expectFailure(.wrongLength)
        try await expectWhole()
    }

    // MARK: Contents

    @Test("a file with a wrong digest is removed, and loaded once at each attempt")
    func wrongDigest() async throws {
        try await site.put("gold", answer(.file, Data(gold.reversed())))
        for count in 1...2 {
            try await expectFailure(.wrongDigest)
            #expect(site.left.isEmpty)
            #expect(try await site.requests("gold").count == count)
        }
        try await expectWhole()
    }

    // MARK: Statuses

    @Test(
        "a status that isn't a success is a failure, and its body isn't kept",
        arguments: [201, 204, 206, 304, 400, 404, 416, 500, 503]
    )
    func statuses(code: Int) async throws {
        try await site.put("gold", answer(.whole, code == 204 || code == 304 ? Data() : gold, status: code))
        try await expectFailure(.status(code))
        try await expectWhole()
    }

    // MARK: Redirects

    private func redirect(to address: String) -> CatalogServer.Answer { status(302, ["Location": address]) }

    @Test("a redirect that leaves the web is refused")
    func unsafeRedirect() async throws {
        try await site.put("gold", redirect(to: "ftp://127.0.0.1/gold"))
        try await expectFailure(.unsafeRedirect)
    }
}
