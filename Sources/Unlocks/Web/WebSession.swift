import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` for data tasks. Everything happens on its queue.
///
/// It neither sends nor keeps cookies, has no cache but for pictures, and follows at most five redirects, but none from https to http.
final class WebSession: NSObject, @unchecked Sendable {
    /// Fails at once if there is no connection.
    static let shared = WebSession()

    /// Waits for a connection, on Apple's platforms.
    static let waiting = WebSession { configuration in
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        #if !canImport(FoundationNetworking)
        configuration.waitsForConnectivity = true
        #endif
        configuration.httpMaximumConnectionsPerHost = ContentDownloads.maximumSimultaneousFiles
    }

    /// Keeps what it has loaded in the system's cache, so that pictures are also there offline.
    static let pictures = WebSession(.default) { $0.requestCachePolicy = .returnCacheDataElseLoad }

    private static let maximumRedirects = 5

    /// A request, and the function that waits for its end.
    private final class Request: @unchecked Sendable {
        let task: URLSessionTask
        let receiver: any WebReceiver
        var result: Result<Void, DownloadError>?
        var continuation: CheckedContinuation<Result<Void, DownloadError>, Never>?
        var hasBegun = false
        var redirects = 0

        init(_ task: URLSessionTask, _ receiver: any WebReceiver) {
            self.task = task
            self.receiver = receiver
        }
    }

    private let queue: OperationQueue
    private let configuration: URLSessionConfiguration
    private lazy var session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    private var underway: [Int: Request] = [:]

    /// Creates a session. Unless there is another configuration, nothing is kept.
    private init(
        _ configuration: URLSessionConfiguration = .ephemeral,
        _ configure: (URLSessionConfiguration) -> Void = {
            $0.urlCache = nil
            $0.requestCachePolicy = .reloadIgnoringLocalCacheData
        }
    ) {
        self.configuration = configuration
        #if canImport(FoundationNetworking)
        queue = BoundedQueue()
        #else
        queue = OperationQueue()
        #endif
        queue.maxConcurrentOperationCount = 1
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configure(configuration)
        super.init()
        // From here on, several threads read it.
        _ = session
    }

    /// Sends a request, and returns once its answer has ended.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receiver: Receives the answer.
    ///   - timeLimit: The time limit in seconds for the whole answer; `nil` if there is only that of the request, which starts
    ///     again with each byte.
    /// - Throws: The receiver's error, or why the answer isn't whole.
    func send(
        _ request: URLRequest,
        to receiver: any WebReceiver,
        within timeLimit: TimeInterval? = nil
    ) async throws(DownloadError) {
        let request = Request(session.dataTask(with: request), receiver)
        let timer = timeLimit.map { timeLimit in
            Task {
                // The answer cancels it.
                guard (try? await Task.sleep(nanoseconds: UInt64(min(timeLimit, 1e6) * 1e9))) != nil else { return }
                queue.addOperation { self.end(request, .failure(.timedOut)) }
            }
        }
        defer { timer?.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { self.start(request, continuation) }
                // On Linux, this waits for the session, which may wait for room in the queue.
                request.task.resume()
            }
        } onCancel: {
            queue.addOperation { self.end(request, .failure(.cancelled)) }
        }
        try result.get()
    }

    private func start(_ request: Request, _ continuation: CheckedContinuation<Result<Void, DownloadError>, Never>) {
        if let result = request.result { return continuation.resume(returning: result) }
        request.continuation = continuation
        underway[request.task.taskIdentifier] = request
    }

    /// Ends a request. Only the first call counts.
    private func end(_ request: Request, _ result: Result<Void, DownloadError>) {
        guard request.result == nil else { return }
        request.result = result
        underway[request.task.taskIdentifier] = nil
        request.continuation?.resume(returning: result)
        request.continuation = nil
        // On Linux, this waits for the session, which may wait for room in this queue.
        DispatchQueue.global().async { request.task.cancel() }
    }

    /// Does something with the request of a task. If that fails, the request ends.
    private func pass(_ task: URLSessionTask, _ use: (Request) throws(DownloadError) -> Void) {
        guard let request = underway[task.taskIdentifier] else { return }
        do throws(DownloadError) { try use(request) } catch { end(request, .failure(error)) }
    }

    private func begin(_ request: Request, _ response: URLResponse?) throws(DownloadError) {
        guard !request.hasBegun, let response = response as? HTTPURLResponse else { return }
        request.hasBegun = true
        try request.receiver.begin(response)
    }

    /// Whether a redirect is as safe as the address before it.
    static func mayRedirect(from old: URL?, to new: URL?) -> Bool {
        switch (old?.scheme?.lowercased(), new?.scheme?.lowercased()) {
        case (_, "https"), ("http", "http"): true
        default: false
        }
    }
}

extension WebSession: URLSessionDataDelegate {
    func urlSession(
        _: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Nobody waits for the answer of a request that has ended, and on Linux a second one would be fatal.
        guard let request = underway[task.taskIdentifier] else { return }
        request.redirects += 1
        let isSafe = Self.mayRedirect(from: response.url, to: newRequest.url)
        guard isSafe, request.redirects <= Self.maximumRedirects else {
            completionHandler(nil)
            return end(request, .failure(isSafe ? .tooManyRedirects : .unsafeRedirect))
        }
        completionHandler(newRequest)
    }

    func urlSession(
        _: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        pass(dataTask) { request throws(DownloadError) in try begin(request, response) }
        completionHandler(underway[dataTask.taskIdentifier] == nil ? .cancel : .allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pass(dataTask) { request throws(DownloadError) in if request.hasBegun { try request.receiver.add(data) } }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        pass(task) { request throws(DownloadError) in
            if let error { throw .unreachable(reason: error.localizedDescription) }
            // On Linux, a redirect without an address is reported only here.
            try begin(request, task.response)
            guard request.hasBegun else { throw .unreachable(reason: "no answer") }
            try request.receiver.end()
            end(request, .success(()))
        }
    }
}
