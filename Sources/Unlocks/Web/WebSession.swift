import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` for data tasks. Everything happens on its queue.
///
/// It neither sends nor keeps cookies, has no cache, and follows at most five redirects, but none from https to http.
final class WebSession: NSObject, @unchecked Sendable {
    private static let maximumRedirects = 5

    /// A request, and the function that waits for its end.
    private final class Request: @unchecked Sendable {
        let task: URLSessionTask
        let receiver: any WebReceiver
        var result: Result<Void, any Error>?
        var continuation: CheckedContinuation<Result<Void, any Error>, Never>?
        var hasBegun = false
        var redirects = 0

        init(_ task: URLSessionTask, _ receiver: any WebReceiver) {
            self.task = task
            self.receiver = receiver
        }
    }

    private let configure: @Sendable (URLSessionConfiguration) -> Void
    private let queue: OperationQueue
    private let lock = NSLock()
    private var usedSession: URLSession?
    private var underway: [Int: Request] = [:]

    /// Creates a session.
    ///
    /// - Parameter configure: Completes the configuration.
    init(_ configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in }) {
        self.configure = configure
        #if canImport(FoundationNetworking)
        queue = BoundedQueue()
        #else
        queue = OperationQueue()
        #endif
        queue.maxConcurrentOperationCount = 1
    }

    /// The session, which is made for the first request, since most launches send none. It keeps its delegate until
    /// ``invalidate()``.
    private var session: URLSession {
        lock.withLock {
            if let usedSession { return usedSession }
            let configuration = URLSessionConfiguration.withoutTraces
            configure(configuration)
            let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
            usedSession = session
            return session
        }
    }

    /// Ends the session. On Linux, this waits for bytes that are being received and decompressed, which can be a gigabyte from a
    /// megabyte.
    func invalidate() {
        let session = lock.withLock { usedSession }
        DispatchQueue.global().async { session?.invalidateAndCancel() }
    }

    /// Sends a request, and returns once its answer has ended.
    ///
    /// - Throws: The receiver's error, or a ``WebFailure``.
    func send(_ request: URLRequest, to receiver: any WebReceiver) async throws {
        let request = Request(session.dataTask(with: request), receiver)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { self.start(request, continuation) }
                // On Linux, this waits for the session, which may wait for room in the queue.
                request.task.resume()
            }
        } onCancel: {
            queue.addOperation { self.end(request, .failure(WebFailure.cancelled)) }
        }
        try result.get()
    }

    private func start(_ request: Request, _ continuation: CheckedContinuation<Result<Void, any Error>, Never>) {
        if let result = request.result { return continuation.resume(returning: result) }
        request.continuation = continuation
        underway[request.task.taskIdentifier] = request
    }

    /// Ends a request. Only the first call counts.
    private func end(_ request: Request, _ result: Result<Void, any Error>) {
        guard request.result == nil else { return }
        request.result = result
        underway[request.task.taskIdentifier] = nil
        request.continuation?.resume(returning: result)
        request.continuation = nil
        // On Linux, this waits for the session, which may wait for room in this queue.
        DispatchQueue.global().async { request.task.cancel() }
    }

    /// Does something with the request of a task. If that fails, the request ends.
    private func pass(_ task: URLSessionTask, _ use: (Request) throws -> Void) {
        guard let request = underway[task.taskIdentifier] else { return }
        do { try use(request) } catch { end(request, .failure(error)) }
    }

    private func begin(_ request: Request, _ response: URLResponse?) throws {
        guard !request.hasBegun, let response = response as? HTTPURLResponse else { return }
        request.hasBegun = true
        try request.receiver.begin(response)
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
        let isSafe = URLCatalogSource.mayRedirect(from: response.url, to: newRequest.url)
        guard isSafe, request.redirects <= Self.maximumRedirects else {
            completionHandler(nil)
            return end(request, .failure(isSafe ? WebFailure.tooManyRedirects : WebFailure.unsafeRedirect))
        }
        completionHandler(newRequest)
    }

    func urlSession(
        _: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        pass(dataTask) { try begin($0, response) }
        completionHandler(underway[dataTask.taskIdentifier] == nil ? .cancel : .allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pass(dataTask) { if $0.hasBegun { try $0.receiver.add(data) } }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        pass(task) { request in
            if let error { throw WebFailure.session(error) }
            // On Linux, a redirect without an address is reported only here.
            try begin(request, task.response)
            guard request.hasBegun else { throw WebFailure.noAnswer }
            try request.receiver.end()
            end(request, .success(()))
        }
    }
}
