import Foundation
import ReferralBridge
import Testing

@testable import Unlocks

/// A server's answers are input from a stranger: never more than the file's length is kept, and nothing counts without its digest.
struct LyingServerTests {
    private let site: DownloadSite
    private let gold = Data.gold
    private let otherHalf = Data.gold[30_000...]
    private let range = ["Content-Range": "bytes 30000-59999/60000", "ETag": #""1""#]

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

    @Test("a range of a file with another tag is refused")
    func wrongTag() async throws {
        let other = range.merging(["ETag": #""2""#]) { $1 }
        try await site.put("gold", answer(.broken), answer(.whole, otherHalf, status: 206, other))
        try await interrupt()
        try await expectFailure(.wrongRange)
        try await expectWhole()
    }

    @Test("a range whose total isn't known is fine, and so is one without a tag")
    func unknownTotal() async throws {
        let range = ["Content-Range": "bytes 30000-59999/*"]
        try await site.put("gold", answer(.broken), answer(.whole, otherHalf, status: 206, range))
        try await interrupt()
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
    }

    @Test("a range with other bytes is noticed by the digest")
    func otherBytes() async throws {
        try await site.put("gold", answer(.broken), answer(.whole, Data(otherHalf.reversed()), status: 206, range))
        try await interrupt()
        try await expectFailure(.wrongDigest)
        try await expectWhole()
    }

    @Test("a range that nobody asked for is refused")
    func unaskedRange() async throws {
        let range = ["Content-Range": "bytes 0-59999/60000"]
        try await site.put("gold", answer(.whole, gold, status: 206, range))
        try await expectFailure(.status(206, retryAfter: nil))
    }

    @Test("after a range that can't be satisfied, the next attempt loads the whole file")
    func unsatisfiable() async throws {
        try await site.put("gold", answer(.broken), status(416))
        try await interrupt()
        try await expectFailure(.status(416, retryAfter: nil))
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

    @Test("another length for the rest is refused")
    func wrongRestLength() async throws {
        let headers = range.merging(["Content-Length": "60000"]) { $1 }
        try await site.put("gold", answer(.broken), answer(.whole, gold, status: 206, headers))
        try await interrupt()
        try await expectFailure(.wrongLength)
        try await expectWhole()
    }

    @Test(
        "a length that isn't one is refused",
        arguments: ["-1", "99999999999999999999", "6e4", "x", "0xEA60", "+60000"]
    )
    func strangeLength(length: String) async throws {
        try await site.put("gold", answer(.whole, ["Content-Length": length]))
        await #expect(throws: DownloadError.self) { try await site.load([.of("gold", gold)]) }
        try await expectWhole()
    }

    @Test("a body without a length that is too short or never ends is refused", arguments: [true, false])
    func unsized(isEndless: Bool) async throws {
        try await site.put("gold", isEndless ? answer(.endless) : answer(.unsized, gold.dropLast(1)))
        try await expectFailure(.wrongLength)
        try await expectWhole()
    }

    @Test("a body without a length is fine if it is right")
    func rightUnsized() async throws {
        try await site.put("gold", answer(.unsized))
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
    }

    // MARK: Contents

    @Test("an answer that is compressed is refused, and none is asked for")
    func encoded() async throws {
        try await site.put("gold", answer(.zipped))
        try await expectFailure(.encoded)
        try await site.put("gold", answer(.whole, ["Content-Encoding": "br"]))
        try await expectFailure(.encoded)
        #expect(try await site.requests("gold").map { $0["Accept-Encoding"] } == ["identity", "identity"])
    }

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
        arguments: [201, 203, 204, 301, 304, 400, 401, 403, 404, 410, 416, 418, 500, 502, 599]
    )
    func statuses(code: Int) async throws {
        try await site.put(
            "gold",
            answer(.whole, code == 204 || code == 304 ? Data() : gold, status: code, ["Retry-After": "5"])
        )
        try await expectFailure(.status(code, retryAfter: nil))
        try await expectWhole()
    }

    @Test("a busy server says when to ask again, in an hour at most", arguments: [429, 503])
    func busy(code: Int) async throws {
        let texts = ["120", "999999999999999999999", "-1", "soon", "1e2", "", "Sun, 06 Nov 1994 08:49:37 GMT"]
        let pauses: [Double?] = [120, 3_600, nil, nil, nil, nil, nil]
        for (text, pause) in zip(texts, pauses) {
            try await site.put("gold", status(code, ["Retry-After": text]))
            try await expectFailure(.status(code, retryAfter: pause))
        }
    }

    // MARK: Redirects

    private func redirect(to address: String) -> CatalogServer.Answer { status(302, ["Location": address]) }

    @Test("five redirects are followed, and the rest is asked for at the first address")
    func redirects() async throws {
        try await site.put("gold", redirect(to: "\(site.address("1"))"))
        for number in 1...4 { try await site.put("\(number)", redirect(to: "\(site.address("\(number + 1)"))")) }
        try await site.put("5", answer(.broken), answer())
        try await interrupt()
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
        #expect(try await site.requests("gold").count == 2)
        #expect(try await site.requests("5").map { $0["Range"] } == [nil, "bytes=30000-"])
        try FileManager.default.removeItem(at: site.content)
        try await site.put("5", redirect(to: "\(site.address("6"))"))
        try await expectFailure(.tooManyRedirects)
    }

    @Test("a redirect that leaves the web is refused")
    func unsafeRedirect() async throws {
        try await site.put("gold", redirect(to: "ftp://127.0.0.1/gold"))
        try await expectFailure(.unsafeRedirect)
    }
}
