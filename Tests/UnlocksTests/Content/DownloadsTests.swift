import Foundation
import ReferralBridge
import Testing

@testable import Unlocks

/// The files of an item, from a web server that does what servers and lines do.
struct DownloadsTests {
    private typealias Answer = CatalogServer.Answer

    private let site: DownloadSite
    private let gold = Data.gold

    init() throws { site = try DownloadSite() }

    /// Asserts that the file can't be loaded.
    private func expectFailure(_ error: DownloadError, _ files: [CatalogItem.File]? = nil) async throws {
        let files = try files ?? [.of("gold", gold)]
        await #expect(throws: error) { try await site.load(files) }
        #expect(site.contents("gold") == nil)
    }

    /// Loads half of the file.
    private func interrupt(_ downloads: ContentDownloads? = nil) async throws {
        await #expect {
            try await site.load([.of("gold", gold)], downloads)
        } throws: { error in
            if case .unreachable? = error as? DownloadError { true } else { false }
        }
    }

    // MARK: What is there

    @Test("a file gets its place once it is whole, and is loaded once")
    func load() async throws {
        try await site.put("boards/gold.json", answer())
        let file = try CatalogItem.File.of("boards/gold.json", gold)
        #expect(try await site.load([file]))
        #expect(site.contents("boards/gold.json") == gold)
        #expect(site.left == ["list"])
        #expect(try await !site.load([file]))
        #expect(try await site.requests("boards/gold.json").count == 1)
        #expect(await site.downloads().has([file], in: site.content))
    }

    @Test("a new version of the catalog loads what has changed, and removes what it doesn't name")
    func update() async throws {
        let silver = Data.sample(1_000, seed: 1)
        for path in ["gold", "silver", "kept"] {
            try await site.put(path, answer(.file, path == "gold" ? gold : silver))
        }
        let kept = try CatalogItem.File.of("kept", silver)
        let old = try CatalogItem.File.of("old/\u{301}deep/silver", silver, url: "https://files.example/silver")
        try await site.load([.of("gold", gold), old, kept])
        try Data("the app's".utf8).write(to: site.content.appending(path: "notes"))
        let new = Data.sample(2_000, seed: 2)
        try await site.put("gold", answer(.file, new, ["ETag": #""2""#]))
        // A folder takes the place of a file.
        try await site.put("old", answer(.file, new))
        let files = try [CatalogItem.File.of("gold", new), kept, .of("old", new)]
        #expect(await !site.downloads().has(files, in: site.content))
        #expect(try await site.load(files))
        #expect(site.contents("gold") == new)
        #expect(site.contents("old") == new)
        #expect(site.contents("notes") == Data("the app's".utf8))
        #expect(try await site.requests("kept").count <= 1)
        #expect(try await !site.load([kept]))
        #expect(site.contents("gold") == nil)
        #expect(site.contents("kept") == silver)
        #expect(site.contents("notes") != nil)
    }

    @Test("a file that got its place before the app ended is removed once no catalog names it")
    func interruptedInstallation() async throws {
        let silver = Data.sample(1_000, seed: 1)
        for path in ["gold", "silver"] { try await site.put(path, answer(.file, path == "gold" ? gold : silver)) }
        // The second file can't get its place.
        let obstacle = site.content.appending(path: "silver")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
        try Data().write(to: obstacle.appending(path: "notes"))
        await #expect(throws: DownloadError.self) {
            try await site.load([.of("gold", gold), .of("silver", silver)])
        }
        #expect(site.contents("gold") == gold)
        #expect(try await !site.downloads().has([.of("gold", gold), .of("silver", silver)], in: site.content))
        try FileManager.default.removeItem(at: obstacle)
        try await site.load([.of("silver", silver)])
        #expect(site.contents("silver") == silver)
        #expect(site.contents("gold") == nil)
    }

    @Test("if the catalog names no files any more, all that is left of them is removed")
    func none() async throws {
        try await site.put("sub/gold", answer())
        #expect(await site.downloads().has([], in: site.content))
        try await site.load([.of("sub/gold", gold)])
        try Data("the app's".utf8).write(to: site.content.appending(path: "notes"))
        #expect(await !site.downloads().has([], in: site.content))
        try await site.downloads().install([], in: site.content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.content.path()) == ["notes"])
        #expect(!FileManager.default.fileExists(atPath: site.content.path() + ".files"))
        #expect(await site.downloads().has([], in: site.content))
    }

    @Test("a file that was damaged or removed since is loaded again")
    func damaged() async throws {
        try await site.put("gold", answer())
        let file = try CatalogItem.File.of("gold", gold)
        try await site.load([file])
        try Data(gold.reversed()).write(to: site.content.appending(path: "gold"))
        #expect(try await site.load([file]))
        #expect(site.contents("gold") == gold)
        try FileManager.default.removeItem(at: site.content.appending(path: "gold"))
        #expect(await !site.downloads().has([file], in: site.content))
        #expect(try await site.load([file]))
        #expect(site.contents("gold") == gold)
    }

    @Test("equal files are loaded once, and an empty one isn't loaded at all")
    func equal() async throws {
        for path in ["gold", "copy", "empty"] { try await site.put(path, answer()) }
        let files = try [
            CatalogItem.File.of("gold", gold), .of("copy", gold), .of("deep/copy", gold), .of("empty", Data()),
        ]
        #expect(try await site.load(files))
        for path in ["gold", "copy", "deep/copy"] { #expect(site.contents(path) == gold) }
        #expect(site.contents("empty") == Data())
        #expect(try await site.requests("gold").count + site.requests("copy").count == 1)
        #expect(try await site.requests("empty").isEmpty)
        #expect(site.left == ["list"])
    }

    @Test("a file that another purchase has is copied, if it is right there")
    func twin() async throws {
        let other = site.folder.appending(path: "purchase-2")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        for (path, body) in [("old-gold", gold), ("damaged", Data(gold.reversed()))] {
            try body.write(to: other.appending(path: path))
        }
        try await site.put("gold", answer(.broken), answer())
        // What was begun doesn't matter.
        try await interrupt()
        let file = try CatalogItem.File.of("gold", gold)
        let twins = try ["missing", "damaged"].map { try CatalogItem.File.of($0, gold) }
        let content = twins.map { DeliveredContent(folder: other, files: [$0]) }
        let whole = DeliveredContent(folder: other, files: [try .of("old-gold", gold)])
        #expect(try await site.load([file], besides: content + [whole]))
        #expect(site.contents("gold") == gold)
        #expect(site.left == ["list"])
        #expect(try await site.requests("gold").count == 1)
        // A change of one isn't one of the other.
        let handle = try FileHandle(forWritingTo: other.appending(path: "old-gold"))
        try handle.write(contentsOf: Data("changed".utf8))
        try handle.close()
        #expect(site.contents("gold") == gold)
        try FileManager.default.removeItem(at: site.content)
        #expect(try await site.load([file], besides: content + [whole]))
        #expect(try await site.requests("gold").count == 2)
    }

    // MARK: Interruptions

    @Test("after each break, only the rest is loaded, also in a new process")
    func resumed() async throws {
        try await site.put("gold", answer(.broken), answer(.broken), status(404), answer())
        try await interrupt()
        #expect(site.left == ["part", "tag"])
        try await interrupt()
        try await expectFailure(.status(404))
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
        #expect(site.left == ["list"])
        let requests = try await site.requests("gold")
        #expect(requests.map { $0["Range"] } == [nil, "bytes=30000-", "bytes=45000-", "bytes=45000-"])
        #expect(requests.map { $0["If-Range"] } == [nil, #""1""#, #""1""#, #""1""#])
    }

    @Test(
        "without a strong tag, a file is loaded from its start",
        arguments: [
            [:], ["ETag": #"W/"1""#], ["ETag": "1"], ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ]
    )
    func weak(headers: [String: String]) async throws {
        try await site.put("gold", answer(.broken, .gold, headers), answer(.file, .gold, headers))
        try await interrupt()
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
        let requests = try await site.requests("gold")
        #expect(requests.map { $0["Range"] } == [nil, nil])
        #expect(requests.map { $0["If-Range"] } == [nil, nil])
    }

    @Test("a file that has changed meanwhile is loaded from its start")
    func changedMeanwhile() async throws {
        let old = Data.sample(60_000, seed: 9)
        try await site.put("gold", answer(.broken, old, ["ETag": #""old""#]), answer(.file, .gold, ["ETag": #""new""#]))
        try await interrupt()
        try await site.load([.of("gold", gold)])
        #expect(site.contents("gold") == gold)
        #expect(try await site.requests("gold").map { $0["If-Range"] } == [nil, #""old""#])
    }

    @Test("a beginning that somebody has changed is no danger", arguments: ["longer", "other bytes", "no tag", "tag"])
    func strangeBeginning(change: String) async throws {
        try await site.put("gold", answer(.broken), answer())
        try await interrupt()
        let file = try CatalogItem.File.of("gold", gold)
        let folder = ContentFolder(site.content)
        switch change {
        case "longer": try Data(count: 60_001).write(to: folder.part(of: file))
        case "other bytes": try Data(count: 60_000).write(to: folder.part(of: file))
        case "no tag": try FileManager.default.removeItem(at: folder.tag(of: file))
        default: try Data("{".utf8).write(to: folder.tag(of: file))
        }
        // Of a whole file, the digest says whether it is right.
        if change == "other bytes" { try await expectFailure(.wrongDigest) }
        try await site.load([file])
        #expect(site.contents("gold") == gold)
        #expect(try await site.requests("gold").last?["Range"] == nil)
    }

    @Test("what was loaded of a file that the catalog doesn't name any more goes")
    func strays() async throws {
        try await site.put("gold", answer(.broken))
        try await interrupt()
        let silver = Data.sample(10, seed: 1)
        try await site.put("silver", answer(.file, silver))
        try await site.load([.of("silver", silver)])
        #expect(site.left == ["list"])
    }

    // MARK: The disk

    @Test("free space is looked at first, for what is missing")
    func freeSpace() async throws {
        try await site.put("gold", answer(.broken), answer())
        let file = try CatalogItem.File.of("gold", gold)
        await #expect(throws: DownloadError.noSpace(needed: 60_000)) {
            try await site.load([file], site.downloads { _ in 59_999 })
        }
        #expect(try await site.requests("gold").isEmpty)
        try await interrupt()
        await #expect(throws: DownloadError.noSpace(needed: 30_000)) {
            try await site.load([file], site.downloads { _ in 29_999 })
        }
        #expect(try await site.load([file], site.downloads { _ in 30_000 }))
    }

    // MARK: The whole

    @Test("the progress begins with what is there, grows to the whole, and never exceeds it")
    func progress() async throws {
        try await site.put("gold", answer(.broken), answer())
        try await interrupt()
        let silver = Data.sample(20_000, seed: 1)
        try await site.put("silver", answer(.file, silver))
        let (stream, reports) = AsyncStream.makeStream(of: DownloadProgress.self)
        let files = try [CatalogItem.File.of("gold", gold), .of("silver", silver)]
        #expect(try await site.downloads().load(files, by: nil, into: site.content, besides: [], reports))
        reports.finish()
        var seen: [DownloadProgress] = []
        for await progress in stream { seen.append(progress) }
        #expect(seen.first == DownloadProgress(completedBytes: 30_000, totalBytes: 80_000))
        #expect(seen.last == DownloadProgress(completedBytes: 80_000, totalBytes: 80_000))
        #expect(seen.last?.fraction == 1)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.completedBytes < $1.completedBytes })
        #expect(seen.count > 2)
        #expect(DownloadProgress(completedBytes: 0, totalBytes: 0).fraction == 1)
    }

    @Test("a file that fails doesn't keep the others from being loaded")
    func others() async throws {
        let silver = Data.sample(1_000, seed: 1)
        try await site.put("gold", status(404))
        for number in 0..<20 { try await site.put("\(number)", answer(.file, silver + Data("\(number)".utf8))) }
        let files = try (0..<20).map { try CatalogItem.File.of("\($0)", silver + Data("\($0)".utf8)) }
        try await expectFailure(.status(404), [.of("gold", gold)] + files)
        try await site.put("gold", answer())
        try await site.load([.of("gold", gold)] + files)
        for number in 0..<20 { #expect(try await site.requests("\(number)").count == 1) }
    }

    @Test("four files are loaded at a time")
    func together() async throws {
        let files = try (0..<8).map { try CatalogItem.File.of("\($0)", Data.sample(10, seed: $0)) }
        for (number, file) in files.enumerated() {
            try await site.put(file.path, answer(.together, Data.sample(10, seed: UInt8(number))))
        }
        #expect(try await site.load(files))
    }

    @Test("when the server is busy, it isn't asked for the files that follow", arguments: [429, 500, 503])
    func busyForAll(status code: Int) async throws {
        let files = try (0..<50).map { try CatalogItem.File.of("\($0)", Data.sample(10, seed: $0)) }
        for file in files { try await site.put(file.path, status(code)) }
        try await expectFailure(.status(code), files)
        var requests = 0
        for file in files { requests += try await site.requests(file.path).count }
        #expect((1...7).contains(requests))
    }
}
