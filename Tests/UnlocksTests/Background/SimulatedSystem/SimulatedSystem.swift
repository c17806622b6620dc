import Foundation
import SimulatedRuntime
import TestSupport
import Testing

@testable import Unlocks

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the system keeps of a background session. It lives on while the app is suspended, and after it has ended.
final class SimulatedSystem: @unchecked Sendable {
    struct Task {
        let number: Int
        let description: String
        let request: URL
        let resumeData: Data?
        var received = 0
        var response: HTTPURLResponse?
    }

    private struct App {
        let session: SimulatedSession
        let queue: OperationQueue
        let receive: @Sendable (BackgroundEvent) -> Void
    }

    private let lock = NSLock()
    private var app: App? { didSet { MainActorWatch.changed() } }
    private var tasks: [Task] = [] { didSet { MainActorWatch.changed() } }
    private var isSuspended = false
    /// The events that the app hasn't received yet, and a file that is removed afterwards.
    private var kept: [(BackgroundEvent, URL?)] = []
    private var startedTasks: [Task] = [] { didSet { MainActorWatch.changed() } }
    private var cancelledTasks: [Int] = []
    private let place = TemporaryFolder("system")
    private var folder: URL { place.url }
    /// Whether a new process receives the list of tasks before the events of the time before.
    var listsTasksFirst = true
    /// The bytes that a canceled task produces to continue with; `nil` if the server doesn't support that.
    var resumes = true

    init() { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    // MARK: What the tests see

    var underway: [Task] { lock.withLock { tasks } }
    var started: [Task] { lock.withLock { startedTasks } }
    var cancelled: [Int] { lock.withLock { cancelledTasks } }

    /// Returns once the app has connected, and has handled all events and what followed from them.
    func settle() async {
        for _ in 0..<3 {
            await until("the app connects") { lock.withLock { app != nil } }
            let queue = lock.withLock { app?.queue }
            await withCheckedContinuation { continuation in queue?.addOperation { continuation.resume() } }
        }
    }

    // MARK: The app's life

    func endApp() { lock.withLock { app = nil } }

    func suspendApp() { lock.withLock { isSuspended = true } }

    func resumeApp() {
        lock.withLock {
            isSuspended = false
            deliver()
        }
    }

    /// Says that all events were delivered, as the system does when it has launched or resumed the app for them.
    func finishEvents() { send(.allDelivered) }

    func invalidate() {
        lock.withLock {
            tasks = []
            kept.append((.invalid(reason: "The session is invalid."), nil))
            deliver()
            app = nil
        }
    }

    // MARK: The web

    /// The server has sent so many bytes of a file.
    func progress(_ path: String, _ received: Int, _ response: HTTPURLResponse? = nil) {
        lock.withLock {
            guard let index = index(path) else { return }
            tasks[index].received = received
            if let response { tasks[index].response = response }
            send(.progress(tasks[index].event, received: received), nil)
        }
    }

    /// The server has answered. Redirects were followed.
    func finish(
        _ path: String,
        _ body: Data,
        status: Int = 200,
        _ headers: [String: String] = [:],
        from address: String? = nil
    ) {
        lock.withLock {
            guard let index = index(path) else { return }
            var task = tasks.remove(at: index)
            let url = address.flatMap(URL.init(string:)) ?? task.request
            task.response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
            let file = folder.appending(path: "\(task.number).tmp")
            try? body.write(to: file)
            send(.file(task.event, file), file)
            send(.end(task.event, nil, resumeData: nil), nil)
        }
    }

    /// A task has failed.
    func fail(_ path: String, _ code: URLError.Code = .networkConnectionLost, resumeData: Data? = nil) {
        lock.withLock {
            guard let index = index(path) else { return }
            send(.end(tasks.remove(at: index).event, URLError(code), resumeData: resumeData), nil)
        }
    }

    private func index(_ path: String) -> Int? {
        let index = tasks.firstIndex { $0.request.path() == "/" + path }
        if index == nil { Issue.record("Nothing loads \(path).") }
        return index
    }

    /// Adds a task that another program has begun.
    func add(_ description: String, _ request: String = "https://files.example/gold") {
        lock.withLock {
            guard let url = URL(string: request) else { return }
            let number = startedTasks.count + tasks.count + 1_000
            tasks.append(Task(number: number, description: description, request: url, resumeData: nil))
        }
    }

    // MARK: The session

    /// A session of a new process. The one before has ended.
    func session() -> SimulatedSession { SimulatedSession(self) }

    fileprivate func connect(
        _ session: SimulatedSession,
        _ queue: OperationQueue,
        _ receive: @escaping @Sendable (BackgroundEvent) -> Void
    ) {
        lock.withLock {
            app = App(session: session, queue: queue, receive: receive)
            let list: (BackgroundEvent, URL?) = (.underway(tasks.map(\.event)), nil)
            kept.insert(list, at: listsTasksFirst ? 0 : kept.count)
            deliver()
        }
    }

    fileprivate func start(_ session: SimulatedSession, _ url: URL, _ resumeData: Data?, _ description: String) -> Int {
        lock.withLock {
            guard app?.session === session else { return -1 }
            let number = startedTasks.count + 1
            let task = Task(number: number, description: description, request: url, resumeData: resumeData)
            startedTasks.append(task)
            if let resumeData, !resumeData.starts(with: Data("resume".utf8)) {
                send(.end(task.event, URLError(.cannotWriteToFile), resumeData: nil), nil)
            } else {
                tasks.append(task)
            }
            return number
        }
    }

    fileprivate func cancel(_ session: SimulatedSession, _ number: Int) {
        lock.withLock {
            guard app?.session === session else { return }
            cancelledTasks.append(number)
            guard let index = tasks.firstIndex(where: { $0.number == number }) else { return }
            let task = tasks.remove(at: index)
            let resumeData = resumes && task.received > 0 ? Data("resume \(task.received)".utf8) : nil
            send(.end(task.event, URLError(.cancelled), resumeData: resumeData), nil)
        }
    }

    private func send(_ event: BackgroundEvent) { lock.withLock { send(event, nil) } }

    private func send(_ event: BackgroundEvent, _ file: URL?) {
        kept.append((event, file))
        deliver()
    }

    private func deliver() {
        guard let app, !isSuspended else { return }
        for (event, file) in kept {
            app.queue.addOperation {
                app.receive(event)
                if let file { try? FileManager.default.removeItem(at: file) }
            }
        }
        kept = []
    }
}

extension SimulatedSystem.Task {
    fileprivate var event: BackgroundTask {
        BackgroundTask(number: number, description: description, request: request, response: response)
    }
}

/// The end of a session that belongs to a process. Once another process has one, this one does nothing.
final class SimulatedSession: BackgroundSession {
    private let system: SimulatedSystem

    fileprivate init(_ system: SimulatedSystem) { self.system = system }

    func connect(on queue: OperationQueue, _ receive: @escaping @Sendable (BackgroundEvent) -> Void) {
        system.connect(self, queue, receive)
    }

    func start(_ request: URLRequest, resuming resumeData: Data?, _ description: String, length: Int) -> Int {
        guard let url = request.url else { return -1 }
        return system.start(self, url, resumeData, description)
    }

    func cancel(_ number: Int) { system.cancel(self, number) }
}
