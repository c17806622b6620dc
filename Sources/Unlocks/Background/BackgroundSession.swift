import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session of the system, whose tasks continue while the app is suspended and after it has ended.
protocol BackgroundSession: Sendable {
    /// Connects the app to the session. From then on, the session passes its events to the closure, on the queue.
    ///
    /// The first call to any method comes from the queue, and so do all others.
    func connect(on queue: OperationQueue, _ receive: @escaping @Sendable (BackgroundEvent) -> Void)

    /// Starts a task.
    ///
    /// - Parameters:
    ///   - request: The request for the whole file.
    ///   - resumeData: What the system needs to load only the rest of it.
    ///   - description: The task's description, which the system keeps.
    ///   - length: The length of the file, in bytes.
    /// - Returns: The task's number in this session.
    func start(_ request: URLRequest, resuming resumeData: Data?, _ description: String, length: Int) -> Int

    /// Cancels a task, unless it has ended.
    func cancel(_ number: Int)
}

/// A task of a session, as the system describes it.
struct BackgroundTask {
    let number: Int
    let description: String?
    /// The address that was requested; `nil` if the system doesn't know it.
    var request: URL?
    /// The answer of the server; `nil` if none has come.
    var response: HTTPURLResponse?
}

/// An event of a session.
enum BackgroundEvent {
    /// The tasks that are underway, which may have been started by an earlier process. This comes once per connection.
    case underway([BackgroundTask])
    /// So many bytes of the file have come.
    case progress(BackgroundTask, received: Int)
    /// The server's answer is in this file, until the closure returns.
    case file(BackgroundTask, URL)
    /// The last event of a task. There may be an error, and data to continue with.
    case end(BackgroundTask, (any Error)?, resumeData: Data?)
    /// All events that had happened while the app didn't run were passed on.
    case allDelivered
    /// The session can't be used anymore. The next connection makes a new one.
    case invalid(reason: String)
}
