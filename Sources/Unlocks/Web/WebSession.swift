import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` whose answers are received piece by piece. Everything happens on its queue.
///
/// It neither sends nor keeps cookies, and follows no redirect from https to http.
final class WebSession: NSObject, @unchecked Sendable {
    /// For catalogs and pictures. Fails at once if there is no connection, or when an answer takes 20 seconds. The system's cache
    /// keeps answers with their tags.
    static let shared: WebSession = {
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 20
        return WebSession(configuration)
    }()

    /// For files, which nothing else keeps. Waits for a connection, on Apple's platforms.
    static let files: WebSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = ContentDownloads.maximumSimultaneousFiles
        #if !canImport(FoundationNetworking)
        configuration.waitsForConnectivity = true
        #endif
        return WebSession(configuration)
    }()

    /// A request, and the function that waits for its end.
    private final class Request: @unchecked Sendable {
        let task: URLSessionTask
        let receiver: any WebReceiver
        var result: Result<Void, DownloadError>?
        var continuation: CheckedContinuation<Result<Void, DownloadError>, Never>?

        init(_ task: URLSessionTask, _ receiver: any WebReceiver) {
            self.task = task
            self.receiver = receiver
        }
    }

    private let queue = OperationQueue()
    private let configuration: URLSessionConfiguration
    private lazy var session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    private var underway: [Int: Request] = [:]

    private init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
        queue.maxConcurrentOperationCount = 1
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        super.init()
        // From here on, several threads read it.
        _ = session
    }

    /// Sends a request, and returns once its answer has ended.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receiver: Receives the answer.
    /// - Throws: The receiver's error, or why the answer isn't whole.
    func send(_ request: URLRequest, to receiver: any WebReceiver) async throws(DownloadError) {
        let request = Request(session.dataTask(with: request), receiver)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { self.start(request, continuation) }
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
        request.task.resume()
    }

    /// Ends a request. Only the first call counts.
    private func end(_ request: Request, _ result: Result<Void, DownloadError>) {
        guard request.result == nil else { return }
        request.result = result
        underway[request.task.taskIdentifier] = nil
        request.continuation?.resume(returning: result)
        request.continuation = nil
        request.task.cancel()
    }

    /// Does something with the request of a task. If that fails, the request ends.
    private func pass(_ task: URLSessionTask, _ use: (Request) throws(DownloadError) -> Void) {
        guard let request = underway[task.taskIdentifier] else { return }
        do throws(DownloadError) { try use(request) } catch { end(request, .failure(error)) }
    }

    /// Whether a redirect is as safe as the address before it.
    static func mayRedirect(from old: URL?, to new: URL?) -> Bool {
        let schemes = [old, new].map { $0?.scheme?.lowercased() }
        return schemes[1] == "https" || schemes == ["http", "http"]
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
        let isSafe = Self.mayRedirect(from: response.url, to: newRequest.url)
        completionHandler(isSafe ? newRequest : nil)
        if !isSafe { end(request, .failure(.unsafeRedirect)) }
    }

    func urlSession(
        _: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        pass(dataTask) { request throws(DownloadError) in
            guard let response = response as? HTTPURLResponse else { throw .unreachable(reason: "no answer") }
            try request.receiver.begin(response)
        }
        completionHandler(underway[dataTask.taskIdentifier] == nil ? .cancel : .allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pass(dataTask) { request throws(DownloadError) in try request.receiver.add(data) }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        pass(task) { request throws(DownloadError) in
            if let error { throw .unreachable(reason: error.localizedDescription) }
            try request.receiver.end()
            end(request, .success(()))
        }
    }
}

/// Receives the answer to a request of a ``WebSession``, on the queue of the session. If it throws an error, the request ends.
protocol WebReceiver: AnyObject {
    func begin(_ response: HTTPURLResponse) throws(DownloadError)
    func add(_ data: Data) throws(DownloadError)
    func end() throws(DownloadError)
}
