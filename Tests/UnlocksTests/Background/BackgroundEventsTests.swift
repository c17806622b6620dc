import Foundation
import TestSupport
import Testing

@testable import Unlocks

/// The system launches or resumes the app for the events of a session, and waits until they are handled.
struct BackgroundEventsTests {
    private let stage = BackgroundStage()
    private let transports = BackgroundTransports()
    private var system: SimulatedSystem { stage.system }
    private let file: CatalogItem.File

    init() throws { file = try .of("gold", .gold) }

    private func launch() -> BackgroundTransport { transports.transport("loads") { stage.launch() } }

    @Test("there is one transport for each identifier")
    func one() {
        let transport = launch()
        #expect(launch() === transport)
        #expect(transports.transport("others") { stage.launch() } !== transport)
    }

    @Test("the system's handler is called once the files are in the folder")
    @MainActor
    func order() async throws {
        let transport = stage.launch()
        _ = await stage.begin([file], transport)
        system.endApp()
        system.finish("gold", .gold)
        _ = launch()
        var left: [String]?
        let isOurs = transports.handleEvents(of: "loads") {
            left = stage.left
        }
        #expect(isOurs)
        await system.settle()
        #expect(left == nil)
        system.finishEvents()
        await until { left != nil }
        #expect(left == ["part"])
    }

    @Test("a handler is called once, and also if the system was faster than the app")
    @MainActor
    func early() async throws {
        _ = launch()
        system.finishEvents()
        await system.settle()
        var calls = 0
        #expect(transports.handleEvents(of: "loads") { calls += 1 })
        await until { calls == 1 }
        #expect(transports.handleEvents(of: "loads") { calls += 1 })
        await system.settle()
        #expect(calls == 1)
        system.finishEvents()
        await until { calls == 2 }
        system.finishEvents()
        await system.settle()
        #expect(calls == 2)
    }

    @Test("events that come later make the handler wait")
    @MainActor
    func later() async throws {
        let transport = launch()
        let task = await stage.begin([file], transport)
        system.finishEvents()
        await system.settle()
        system.finish("gold", .gold)
        await system.settle()
        var calls = 0
        #expect(transports.handleEvents(of: "loads") { calls += 1 })
        await system.settle()
        #expect(calls == 0)
        system.finishEvents()
        await until { calls == 1 }
        #expect(try await task.value)
    }

    @Test("what isn't a reason to launch the app doesn't make the handler wait", arguments: [true, false])
    @MainActor
    func underwayLater(listsTasksFirst: Bool) async throws {
        system.listsTasksFirst = listsTasksFirst
        let silver = try CatalogItem.File.of("silver", .sample(20, seed: 1))
        _ = await stage.begin([file, silver], stage.launch(), underway: 2)
        system.endApp()
        system.finish("gold", .gold)
        system.finishEvents()
        _ = launch()
        await system.settle()
        system.progress("silver", 5)
        await system.settle()
        var calls = 0
        #expect(transports.handleEvents(of: "loads") { calls += 1 })
        await until { calls == 1 }
    }

    @Test("the identifier of another session is left to its owner")
    @MainActor
    func unknown() async {
        _ = launch()
        #expect(!transports.handleEvents(of: "other") { Issue.record("It was called.") })
        await transports.handleEvents(of: "other")
    }

    @Test("before a center has started, no event can come, so nobody waits for one")
    @MainActor
    func notStarted() async {
        let transport = transports.transport("loads") { BackgroundTransport(system.session()) }
        let isOurs = transports.handleEvents(of: "loads") { Issue.record("It was called.") }
        #expect(!isOurs)
        // In a process that waits for what can't come, this would never return.
        guard !isOurs else { return }
        await transports.handleEvents(of: "loads")
        transport.connect(stage.root.url)
        await withCheckedContinuation { handled in
            #expect(transports.handleEvents(of: "loads") { handled.resume() })
            system.finishEvents()
        }
    }

    @Test("after its session has become invalid, a transport waits for the events of a new one")
    func invalid() async {
        _ = launch()
        await system.settle()
        system.invalidate()
        let task = Task { await transports.handleEvents(of: "loads") }
        // Returns once the transport has connected again.
        await system.settle()
        system.finishEvents()
        await task.value
    }

    @Test("the wait for the events ends with them, or when its time is over")
    func wait() async throws {
        let transport = launch()
        let task = Task { await transports.handleEvents(of: "loads") }
        system.finishEvents()
        await task.value
        let cancelled = Task { await transports.handleEvents(of: "loads") }
        cancelled.cancel()
        await cancelled.value
        _ = transport
    }
}
