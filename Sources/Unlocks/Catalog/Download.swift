import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and its answer. Everything happens on the queue.
final class Download: NSObject, @unchecked Sendable {
    struct Answer {
        let status: Int
        let body: Data
        let tag: String?
        /// The server's date, if the answer came over https.
        let date: Date?
    }

    private static let maximumRedirects = 5

    private let request: URLRequest
    private let limit: Int
    private let timeLimit: TimeInterval
    private let queue = OperationQueue()
    private var session: URLSession?
    private var timer: Task<Void, any Error>?
    private var continuation: CheckedContinuation<Result<Answer, CatalogLoader.LoadError>, Never>?
    private var result: Result<Answer, CatalogLoader.LoadError>?
    private var redirects = 0
    private var response: HTTPURLResponse?
    private var body = Data()

    /// Creates a download.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - tag: The tag of the content that is already there, if any.
    ///   - limit: The most bytes that the answer may have. The download stops at the first byte after them.
    ///   - timeLimit: The time limit in seconds, from the request to the last byte.
    init(_ address: URL, unless tag: String? = nil, limit: Int = ShopCatalog.maximumLength, timeLimit: TimeInterval) {
        var request = URLRequest(url: address)
        if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        self.request = request
        self.limit = limit
        self.timeLimit = timeLimit
        queue.maxConcurrentOperationCount = 1
    }

    /// Sends the request.
    ///
    /// - Returns: The answer, whatever its status.
    func answer() async throws(CatalogLoader.LoadError) -> Answer {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { self.start(continuation) }
            }
        } onCancel: {
            queue.addOperation { self.finish(.failure(.cancelled)) }
        }
        return try result.get()
    }

    private func start(_ continuation: CheckedContinuation<Result<Answer, CatalogLoader.LoadError>, Never>) {
        if let result { return continuation.resume(returning: result) }
        self.continuation = continuation
        let session = URLSession(configuration: .withoutTraces, delegate: self, delegateQueue: queue)
        self.session = session
        session.dataTask(with: request).resume()
        // The session's own time limit starts again with each byte.
        timer = Task { [timeLimit] in
            try await Task.sleep(nanoseconds: UInt64(min(timeLimit, 1e6) * 1e9))
            queue.addOperation { self.finish(.failure(.timedOut)) }
        }
    }

    /// Ends the download. Only the first call counts.
    private func finish(_ result: Result<Answer, CatalogLoader.LoadError>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume(returning: result)
        continuation = nil
        timer?.cancel()
        // Otherwise the session keeps its delegate. On Linux, the call waits until all received data is decompressed.
        // That can be a gigabyte from a megabyte, and would block this queue.
        if let session { DispatchQueue.global().async { session.invalidateAndCancel() } }
        session = nil
    }
}

extension Download: URLSessionDataDelegate {
    func urlSession(
        _: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Nobody waits for the answer of a download that has ended, and on Linux a second one would be fatal.
        guard result == nil else { return }
        redirects += 1
        let isSafe = URLCatalogSource.mayRedirect(from: response.url, to: newRequest.url)
        guard isSafe, redirects <= Self.maximumRedirects else {
            completionHandler(nil)
            return finish(.failure(isSafe ? .tooManyRedirects : .unsafeRedirect))
        }
        completionHandler(newRequest)
    }

    func urlSession(
        _: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        self.response = response as? HTTPURLResponse
        if response.expectedContentLength > limit { finish(.failure(.tooLarge)) }
        completionHandler(result == nil ? .allow : .cancel)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard result == nil else { return }
        guard body.count + data.count <= limit else { return finish(.failure(.tooLarge)) }
        body += data
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // On Linux, a redirect without an address is reported only here.
        guard error == nil, let response = response ?? task.response as? HTTPURLResponse else {
            return finish(.failure(.unreachable(reason: error?.localizedDescription ?? "no answer")))
        }
        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
        let isSecure = response.url?.scheme?.lowercased() == "https"
        finish(
            .success(
                Answer(
                    status: response.statusCode,
                    body: body,
                    tag: header("ETag"),
                    date: isSecure ? HTTPDate.answered(header("Date"), age: header("Age")) : nil
                )
            )
        )
    }
}
