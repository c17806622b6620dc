import Foundation
import TestSupport
import Testing

@testable import Unlocks

/// Files that the system loads while the app is suspended or has ended.
struct BackgroundDownloadsTests {
    private let stage = BackgroundStage()
    private var system: SimulatedSystem { stage.system }
    private let gold = Data.gold
    private let file: CatalogItem.File

    init() throws { file = try .of("gold", .gold) }

    // MARK: While the app runs

    @Test("a file gets its place once the system has loaded it, and is requested once")
    func load() async throws {
        let task = await stage.begin([file], stage.launch())
        #expect(system.underway.map(\.description) == ["purchase-1/\(file.contentName)"])
        system.progress("gold", 30_000)
        system.finish("gold", gold)
        #expect(try await task.value)
        #expect(stage.contents("gold") == gold)
        #expect(stage.left == ["list"])
        #expect(try await !stage.load([file], stage.launch()).value)
        #expect(system.started.count == 1)
    }

    @Test("all of a thousand files are handed to the system at once, and equal ones once")
    func thousand() async throws {
        let bodies = (0..<999).map { Data("\($0)".utf8) }
        var files = try bodies.enumerated().map { try CatalogItem.File.of("deep/\($0)", $1) }
        files.append(try .of("copy", bodies[7]))
        let task = await stage.begin(files, stage.launch(), underway: 999)
        for (number, body) in bodies.enumerated() { system.finish("deep/\(number)", body) }
        #expect(try await task.value)
        for (number, body) in bodies.enumerated() { #expect(stage.contents("deep/\(number)") == body) }
        #expect(stage.contents("copy") == bodies[7])
        #expect(system.started.count == 999)
    }

    @Test("the progress grows to the whole, and never exceeds it")
    func progress() async throws {
        let (stream, reports) = AsyncStream.makeStream(of: DownloadProgress.self)
        let downloads = ContentDownloads(stage.launch(), freeSpace: { _ in nil })
        let task = Task { try await downloads.load([file], into: stage.content, besides: [], reports) }
        await until { system.underway.count == 1 }
        for received in [10_000, 40_000, -5, 60_000] { system.progress("gold", received) }
        system.finish("gold", gold)
        #expect(try await task.value)
        reports.finish()
        var seen: [Int] = []
        for await progress in stream { seen.append(progress.completedBytes) }
        #expect(seen == [0, 10_000, 40_000, 0, 60_000])
    }

    // MARK: While it doesn't

    @Test("a file that comes while the app is suspended is used when it runs again")
    func suspended() async throws {
        let task = await stage.begin([file], stage.launch())
        system.suspendApp()
        system.finish("gold", gold)
        #expect(stage.left == [])
        system.resumeApp()
        #expect(try await task.value)
        #expect(stage.contents("gold") == gold)
    }

    @Test("a file that comes after the app has ended isn't requested again", arguments: [true, false])
    func finishedMeanwhile(listsTasksFirst: Bool) async throws {
        system.listsTasksFirst = listsTasksFirst
        let transport = stage.launch()
        _ = await stage.begin([file], transport)
        system.endApp()
        system.finish("gold", gold)
        let next = stage.launch()
        await system.settle()
        #expect(stage.left == ["part"])
        #expect(try await stage.load([file], next).value)
        #expect(stage.contents("gold") == gold)
        #expect(system.started.count == 1)
    }

    @Test("the wait for a file can begin before the system reports that it came", arguments: [true, false])
    func waitFirst(listsTasksFirst: Bool) async throws {
        system.listsTasksFirst = listsTasksFirst
        let transport = stage.launch()
        _ = await stage.begin([file], transport)
        system.endApp()
        system.finish("gold", gold)
        #expect(try await stage.load([file], BackgroundTransport(system.session())).value)
        #expect(stage.contents("gold") == gold)
        // If the list of tasks is first, a second one is started, and cancelled when the file comes.
        #expect(system.started.count == (listsTasksFirst ? 2 : 1))
        #expect(system.underway.isEmpty)
    }

    @Test("a task that is still underway at the next launch is waited for")
    func underwayAtLaunch() async throws {
        let transport = stage.launch()
        _ = await stage.begin([file], transport)
        system.endApp()
        let next = stage.launch()
        await system.settle()
        let task = stage.load([file], next)
        await system.settle()
        system.progress("gold", 30_000)
        system.finish("gold", gold)
        #expect(try await task.value)
        #expect(system.started.count == 1)
        #expect(system.cancelled.isEmpty)
    }

    @Test("after a crash between the file's arrival and its check, it isn't requested again")
    func crashBeforeCheck() async throws {
        try stage.folder.make()
        try gold.write(to: stage.folder.part(of: file))
        #expect(try await stage.load([file], stage.launch()).value)
        #expect(system.started.isEmpty)
    }

    @Test("of two tasks for a file, one is cancelled")
    func foundTwice() async throws {
        try stage.folder.make()
        for _ in 0..<2 { system.add("purchase-1/\(file.contentName)") }
        let transport = stage.launch()
        await system.settle()
        #expect(system.underway.count == 1)
        let task = stage.load([file], transport)
        await system.settle()
        system.finish("gold", gold)
        #expect(try await task.value)
        #expect(system.started.isEmpty)
    }

    @Test("tasks for files that the catalog doesn't name any more are cancelled at the next launch")
    func strays() async throws {
        let silver = try CatalogItem.File.of("silver", Data.sample(10, seed: 1))
        let transport = stage.launch()
        _ = await stage.begin([file, silver], transport, underway: 2)
        system.endApp()
        let task = stage.load([silver], stage.launch())
        await until { system.underway.count == 1 }
        system.finish("silver", Data.sample(10, seed: 1))
        #expect(try await task.value)
        #expect(system.started.count == 2)
        #expect(stage.left == ["list"])
    }

    @Test(
        "a task whose folder has gone is cancelled at the launch, and its file makes no folder",
        arguments: [true, false]
    )
    func folderGone(isFinished: Bool) async throws {
        let transport = stage.launch()
        _ = await stage.begin([file], transport)
        system.progress("gold", 30_000)
        system.endApp()
        try FileManager.default.removeItem(at: stage.folder.files)
        if isFinished { system.finish("gold", gold) }
        let next = stage.launch()
        await system.settle()
        #expect(system.underway.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: stage.folder.files.path()))
        // Neither is one that nobody has cancelled.
        try stage.folder.make()
        let task = await stage.begin([file], next)
        try FileManager.default.removeItem(at: stage.folder.files)
        system.finish("gold", gold)
        await expectFailure(.cancelled, task)
        #expect(!FileManager.default.fileExists(atPath: stage.folder.files.path()))
    }

    // MARK: Cancellation

    @Test("a load that is cancelled ends at once, cancels its task, and the next one continues")
    func cancelled() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.progress("gold", 30_000)
        await system.settle()
        task.cancel()
        await expectFailure(.cancelled, task)
        await until { system.underway.isEmpty }
        await system.settle()
        #expect(stage.left == ["resume"])
        let second = await stage.begin([file], transport)
        #expect(system.started.last?.resumeData == Data("resume 30000".utf8))
        #expect(stage.left == [])
        system.finish("gold", gold, status: 206)
        #expect(try await second.value)
    }

    @Test("what is loaded for a folder can be cancelled although nobody waits for it, and before the tasks are known")
    func cancelledWithoutWait() async throws {
        _ = await stage.begin([file], stage.launch())
        system.endApp()
        let transport = stage.launch()
        transport.cancelAll(in: ContentFolder(stage.root.url.appending(path: "purchase-2")), except: [])
        await system.settle()
        #expect(system.underway.count == 1)
        transport.cancelAll(in: stage.folder, except: [file])
        await system.settle()
        #expect(system.underway.count == 1)
        transport.cancelAll(in: stage.folder, except: [])
        await system.settle()
        #expect(system.underway.isEmpty)
    }

    @Test("a load that begins before a cancelled task has ended waits for that, and continues")
    func cancelledAndWanted() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.progress("gold", 30_000)
        await system.settle()
        system.suspendApp()
        task.cancel()
        await expectFailure(.cancelled, task)
        let second = stage.load([file], transport)
        await system.settle()
        #expect(system.started.count == 1)
        system.resumeApp()
        await until { system.started.count == 2 }
        #expect(system.started.last?.resumeData == Data("resume 30000".utf8))
        system.finish("gold", gold, status: 206)
        #expect(try await second.value)
    }

    @Test("a load that is cancelled before the system lists its tasks ends")
    func cancelledEarly() async throws {
        system.suspendApp()
        let task = stage.load([file], stage.launch())
        await system.settle()
        task.cancel()
        await expectFailure(.cancelled, task)
        system.resumeApp()
        await system.settle()
        #expect(system.started.isEmpty)
    }

    @Test("if a file is wanted twice at once, the later load gets it")
    func wantedTwice() async throws {
        let transport = stage.launch()
        let first = await stage.begin([file], transport)
        let second = stage.load([file], transport)
        await expectFailure(.cancelled, first)
        system.finish("gold", gold)
        #expect(try await second.value)
        #expect(system.started.count == 1)
    }

    @Test(
        "what the system has cancelled, as after a force-quit, continues at the next launch",
        arguments: [true, false]
    )
    func forceQuit(listsTasksFirst: Bool) async throws {
        system.listsTasksFirst = listsTasksFirst
        _ = await stage.begin([file], stage.launch())
        system.endApp()
        system.fail("gold", .cancelled, resumeData: Data("resume 9".utf8))
        let task = stage.load([file], BackgroundTransport(system.session()))
        await until { system.started.last?.resumeData == Data("resume 9".utf8) }
        #expect(system.underway.count == 1)
        system.finish("gold", gold, status: 206)
        #expect(try await task.value)
    }

    @Test("what the system cancels while the app runs starts again once; a second time is a failure")
    func cancelledBySystem() async throws {
        let task = await stage.begin([file], stage.launch())
        system.fail("gold", .cancelled, resumeData: Data("resume 9".utf8))
        await until { system.started.count == 2 }
        #expect(system.started.last?.resumeData == Data("resume 9".utf8))
        system.fail("gold", .cancelled)
        await #expect(throws: DownloadError.self) { try await task.value }
        #expect(system.started.count == 2)
    }

    @Test("if the session can't be used anymore, every load ends, and the next one makes a new session")
    func invalid() async throws {
        let transport = stage.launch()
        let task = await stage.begin([file], transport)
        system.invalidate()
        await expectFailure(.unreachable(reason: "The session is invalid."), task)
        let second = await stage.begin([file], transport)
        system.finish("gold", gold)
        #expect(try await second.value)
    }
}
