import Foundation
import TestSupport
import Testing

@testable import Unlocks

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the system, a server and the disk say about files in the background is input from a stranger.
struct BackgroundFailuresTests {
    private let stage = BackgroundStage()
    private var system: SimulatedSystem { stage.system }
    private let gold = Data.gold
    private let file: CatalogItem.File

    init() throws { file = try .of("gold", .gold) }

    /// Asserts that the next attempt requests the whole file, and gets it.
    private func expectWhole(_ transport: BackgroundTransport) async throws {
        let count = system.started.count
        let task = await stage.begin([file], transport)
        #expect(system.started.count == count + 1)
        #expect(system.started.last?.resumeData == nil)
        system.finish("gold", gold)
        #expect(try await task.value)
        #expect(stage.contents("gold") == gold)
        #expect(stage.left == ["list"])
    }

    // MARK: The server

    @Test(
        "a status that isn't a success is a failure, and its body isn't kept",
        arguments: [201, 204, 301, 304, 400, 401, 403, 404, 410, 416, 500, 502]
    )
    func statuses(code: Int) async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.finish("gold", gold, status: code)
        await expectFailure(.status(code, retryAfter: nil), task)
        #expect(stage.left == [])
        try await expectWhole(transport)
    }

    @Test("a busy server says when to ask again", arguments: [429, 503])
    func busy(code: Int) async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.finish("gold", Data(), status: code, ["Retry-After": "7"])
        await expectFailure(.status(code, retryAfter: 7), task)
        try await expectWhole(transport)
    }

    @Test("a failure that came while the app didn't run is no file")
    func failedMeanwhile() async throws {
        _ = await stage.begin([file], stage.launch())
        system.endApp()
        system.finish("gold", gold, status: 404)
        let transport = stage.launch()
        await system.settle()
        #expect(stage.left == [])
        try await expectWhole(transport)
    }

    @Test(
        "the system follows redirects without asking: a file from http isn't used",
        arguments: ["http", "ftp", "file"]
    )
    func redirect(scheme: String) async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.finish("gold", gold, from: "\(scheme)://files.example/gold")
        await expectFailure(.unsafeRedirect, task)
        try await expectWhole(transport)
    }

    @Test("a file from another https address is used")
    func safeRedirect() async throws {
        let task = await stage.begin([file], stage.launch())
        system.finish("gold", gold, from: "https://other.example/gold")
        #expect(try await task.value)
    }

    @Test("a compressed answer isn't used")
    func encoded() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.finish("gold", gold, ["Content-Encoding": "gzip"])
        await expectFailure(.encoded, task)
        try await expectWhole(transport)
    }

    @Test("a file of another length isn't used", arguments: [0, 59_999, 60_001])
    func wrongLength(length: Int) async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.finish("gold", Data(count: length))
        await expectFailure(.wrongLength, task)
        #expect(stage.left == [])
        try await expectWhole(transport)
    }

    @Test("a task is cancelled when more comes than the file has, and leaves nothing to continue with")
    func endless() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.progress("gold", 60_000)
        await system.settle()
        #expect(system.cancelled.isEmpty)
        system.progress("gold", 60_001)
        await expectFailure(.wrongLength, task)
        #expect(system.underway.isEmpty)
        try await expectWhole(transport)
    }

    @Test("a task is cancelled as soon as its answer isn't a file")
    func earlyStatus() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        let response = HTTPURLResponse(url: file.url, statusCode: 404, httpVersion: nil, headerFields: nil)
        system.progress("gold", 100_000, response)
        await expectFailure(.status(404, retryAfter: nil), task)
        try await expectWhole(transport)
    }

    @Test("a file with a wrong digest is removed, and loaded again at the next attempt")
    func wrongDigest() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.finish("gold", Data(gold.reversed()))
        await expectFailure(.wrongDigest, task)
        #expect(stage.left == [])
        try await expectWhole(transport)
    }

    @Test("a file that fails doesn't end the others")
    func others() async throws {
        let silver = try CatalogItem.File.of("silver", Data.sample(10, seed: 1))
        let transport = stage.launch()
        let task = await stage.begin([file, silver], transport, underway: 2)
        system.finish("gold", Data(), status: 503)
        await system.settle()
        system.finish("silver", Data.sample(10, seed: 1))
        await expectFailure(.status(503, retryAfter: nil), task)
        let second = await stage.begin([file, silver], transport)
        system.finish("gold", gold)
        #expect(try await second.value)
        #expect(system.started.count == 3)
    }

    // MARK: The line

    @Test(
        "after a failure, the system's data is kept for the next attempt, also of a new process",
        arguments: [true, false]
    )
    func resumed(isNewProcess: Bool) async throws {
        var transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.progress("gold", 30_000)
        if isNewProcess {
            await system.settle()
            system.endApp()
            transport = stage.launch()
            await system.settle()
            system.progress("gold", 30_000)
        }
        system.fail("gold", resumeData: Data("resume 30000".utf8))
        await system.settle()
        if !isNewProcess { await #expect(throws: DownloadError.self) { try await task.value } }
        #expect(stage.left == ["resume"])
        #expect(transport.keptLength(of: file, in: stage.folder) == 30_000)
        let second = await stage.begin([file], transport)
        #expect(system.started.last?.resumeData == Data("resume 30000".utf8))
        // The data is used once.
        #expect(stage.left == [])
        system.finish("gold", gold, status: 206, ["Content-Range": "bytes 30000-59999/60000"])
        #expect(try await second.value)
        #expect(stage.contents("gold") == gold)
    }

    @Test("a failure says what has happened")
    func failures() async throws {
        let transport = stage.launch()
        let failures: [(URLError.Code, DownloadError?)] = [(.timedOut, .timedOut), (.networkConnectionLost, nil)]
        for (code, expected) in failures {
            let task = await stage.begin([file], transport)
            system.fail("gold", code)
            await #expect {
                try await task.value
            } throws: { error in
                if let expected { return error as? DownloadError == expected }
                if case .unreachable? = error as? DownloadError { return true }
                return false
            }
        }
        for code in [URLError.Code.cannotCreateFile, .cannotWriteToFile, .cannotMoveFile] {
            let task = await stage.begin([file], transport)
            system.fail("gold", code)
            await #expect {
                try await task.value
            } throws: { error in
                if case .storage? = error as? DownloadError { true } else { false }
            }
        }
    }

    @Test("when the system refuses its own data, the file starts over at once")
    func refused() async throws {
        try stage.folder.make()
        let name = try #require(DownloadName(file, in: stage.folder))
        ResumeFile(url: file.url, received: 5, data: Data("garbage".utf8)).write(name, in: stage.folder)
        let task = await stage.begin([file], stage.launch())
        #expect(system.started.map(\.resumeData) == [Data("garbage".utf8), nil])
        system.finish("gold", gold)
        #expect(try await task.value)
    }

    // MARK: The disk

    @Test(
        "a file with the system's data that somebody has changed is no danger",
        arguments: ["", "{", "[]", #"{"url":1}"#, "long", "folder", "address", "received"]
    )
    func hostileResumeFile(contents: String) async throws {
        try stage.folder.make()
        let name = try #require(DownloadName(file, in: stage.folder))
        let place = stage.folder.resumeFile(file.contentName)
        let data = Data("resume".utf8)
        switch contents {
        case "long": ResumeFile(url: file.url, received: 5, data: Data(count: 1 << 20)).write(name, in: stage.folder)
        case "folder": try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        case "address":
            let other = try #require(URL(string: "https://other.example/gold"))
            ResumeFile(url: other, received: 5, data: data).write(name, in: stage.folder)
        case "received":
            ResumeFile(url: file.url, received: 60_000, data: data).write(name, in: stage.folder)
        default: try Data(contents.utf8).write(to: place)
        }
        let transport = stage.launch()
        #expect(transport.keptLength(of: file, in: stage.folder) == 0)
        let task = await stage.begin([file], transport)
        #expect(system.started.map(\.resumeData) == [nil])
        system.finish("gold", gold)
        #expect(try await task.value)
        #expect(stage.contents("gold") == gold)
    }

    @Test("if a file can't be moved, the load fails")
    func unmovable() async throws {
        try stage.folder.make()
        let place = stage.folder.part(of: file).appending(path: "in the way")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let task = await stage.begin([file], stage.launch())
        system.finish("gold", gold)
        await #expect {
            try await task.value
        } throws: { error in
            if case .storage? = error as? DownloadError { true } else { false }
        }
    }

    // MARK: Descriptions

    @Test(
        "a task that isn't one of the library's is cancelled, and writes nothing",
        arguments: [
            "", "x", "purchase-1", "purchase-1/", "/DIGEST", "../DIGEST", "./DIGEST", "purchase-1/../DIGEST",
            "/etc/DIGEST",
            "purchase-1/DIGEST/..", "purchase 1/DIGEST", "PURCHASE-1/DIGEST", "purchase-1/DIGEST-",
            "purchase-1/\(String(repeating: "A", count: 64))-60000",
            "purchase-1/\(String(repeating: "a", count: 63))-60000",
            "purchase-1/\(String(repeating: "a", count: 64))--60000",
            "purchase-1/\(String(repeating: "a", count: 64))-060000",
            "purchase-1/\(String(repeating: "a", count: 64))-99999999999999999999", "purchase-1\0/DIGEST",
            "purchase-\u{661}/DIGEST", "\(String(repeating: "a", count: 300))/DIGEST",
        ]
    )
    func garbage(description: String) async throws {
        try stage.folder.make()
        let description = description.replacing("DIGEST", with: file.contentName)
        #expect(DownloadName(description) == nil)
        system.add(description)
        let transport = stage.launch()
        await system.settle()
        #expect(system.underway.isEmpty)
        system.add(description)
        system.finish("gold", gold)
        await system.settle()
        #expect(stage.left == [])
        try await expectWhole(transport)
    }

    @Test("a description is read as it was written")
    func description() throws {
        let name = try #require(DownloadName(file, in: stage.folder))
        #expect(DownloadName(name.description) == name)
        #expect((name.folder, name.content, name.length) == ("purchase-1", file.contentName, 60_000))
        #expect(DownloadName(nil) == nil)
        #expect(DownloadName(file, in: ContentFolder(stage.root.url.appending(path: "My Folder"))) == nil)
    }
}
