import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` with download tasks as a session of the system. With the configuration of a background session, its tasks
/// outlive the app; on Linux, in the tests, they end with it.
///
/// The properties are used on the queue.
final class DownloadTaskSession: NSObject, BackgroundSession, @unchecked Sendable {
    private let configuration: @Sendable () -> URLSessionConfiguration
    private let resumeData: @Sendable (any Error) -> Data?
    private var session: URLSession?
    private var tasks: [Int: URLSessionDownloadTask] = [:]
    private var receive: @Sendable (BackgroundEvent) -> Void = { _ in }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: Returns its configuration.
    ///   - resumeData: The data in an error with which the download can be continued. On Linux, there is nothing.
    init(
        _ configuration: @escaping @Sendable () -> URLSessionConfiguration,
        resumeData: @escaping @Sendable (any Error) -> Data? = { _ in nil }
    ) {
        self.configuration = configuration
        self.resumeData = resumeData
    }

    func connect(on queue: OperationQueue, _ receive: @escaping @Sendable (BackgroundEvent) -> Void) {
        self.receive = receive
        let session = URLSession(configuration: configuration(), delegate: self, delegateQueue: queue)
        self.session = session
        session.getAllTasks { tasks in queue.addOperation { self.find(tasks) } }
    }

    private func find(_ found: [URLSessionTask]) {
        let underway = found.compactMap { $0 as? URLSessionDownloadTask }
            .filter { $0.state == .running || $0.state == .suspended }
        for task in underway {
            tasks[task.taskIdentifier] = task
            // The app may have ended before the task was started.
            task.resume()
        }
        receive(.underway(underway.map(description)))
    }

    func start(_ request: URLRequest, resuming resumeData: Data?, _ description: String, length: Int) -> Int {
        // A transport connects first.
        guard let session else { return -1 }
        let task = resumeData.map(session.downloadTask(withResumeData:)) ?? session.downloadTask(with: request)
        task.taskDescription = description
        // With the headers of the answer, which have some hundred bytes.
        task.countOfBytesClientExpectsToReceive = Int64(length) + 1_024
        tasks[task.taskIdentifier] = task
        task.resume()
        return task.taskIdentifier
    }

    func cancel(_ number: Int) {
        // The data to continue with comes with the task's end too.
        tasks[number]?.cancel(byProducingResumeData: { _ in })
    }

    private func description(of task: URLSessionTask) -> BackgroundTask {
        BackgroundTask(
            number: task.taskIdentifier,
            description: task.taskDescription,
            request: task.originalRequest?.url,
            response: task.response as? HTTPURLResponse
        )
    }
}

extension DownloadTaskSession: URLSessionDownloadDelegate {
    func urlSession(
        _: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData _: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite _: Int64
    ) {
        tasks[downloadTask.taskIdentifier] = downloadTask
        receive(.progress(description(of: downloadTask), received: Int(clamping: totalBytesWritten)))
    }

    func urlSession(_: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        receive(.file(description(of: downloadTask), location))
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        tasks[task.taskIdentifier] = nil
        receive(.end(description(of: task), error, resumeData: error.flatMap(resumeData)))
    }

    func urlSession(_: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        (session, tasks) = (nil, [:])
        receive(.invalid(reason: error?.localizedDescription ?? "The session has ended."))
    }

    #if !canImport(FoundationNetworking)
    func urlSessionDidFinishEvents(forBackgroundURLSession _: URLSession) { receive(.allDelivered) }
    #endif
}
