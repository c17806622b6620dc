import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads files while the app runs, with a `URLSession` of its own.
///
/// It neither sends nor keeps cookies, has no cache, and follows at most five redirects, but none from https to http. On
/// Apple's platforms, a request waits until there is a connection.
final class WebTransport: DownloadTransport, @unchecked Sendable {
    let simultaneousFiles: Int

    private let timeLimit: Double
    private let address: @Sendable (URL) -> URL
    private let transfers = WebTransfers()
    private let lock = NSLock()
    private var usedSession: URLSession?

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - simultaneousFiles: The number of files to load at a time.
    ///   - timeLimit: A request fails when nothing has come for so many seconds.
    ///   - address: Returns where to ask for a file, for tests without https.
    init(
        simultaneousFiles: Int,
        timeLimit: Double = 30,
        at address: @escaping @Sendable (URL) -> URL = { $0 }
    ) {
        self.simultaneousFiles = simultaneousFiles
        self.timeLimit = timeLimit
        self.address = address
    }

    deinit {
        // Otherwise the session keeps its delegate. On Linux, the call waits for bytes that are being received.
        DispatchQueue.global().async { [usedSession] in usedSession?.invalidateAndCancel() }
    }

    /// The session, which is made for the first request, since most launches send none.
    private var session: URLSession {
        lock.withLock {
            if let usedSession { return usedSession }
            let configuration = URLSessionConfiguration.withoutTraces
            configuration.timeoutIntervalForRequest = timeLimit
            configuration.httpMaximumConnectionsPerHost = simultaneousFiles
            #if !canImport(FoundationNetworking)
            configuration.waitsForConnectivity = true
            #endif
            let session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: transfers.queue)
            usedSession = session
            return session
        }
    }

    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError) {
        let part = try DownloadPart(of: file, in: folder, meter)
        guard !part.isWhole else { return }
        var request = URLRequest(url: address(file.url))
        // The lengths of ranges are those of the file itself.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if let tag = part.tag {
            request.setValue("bytes=\(part.length)-", forHTTPHeaderField: "Range")
            request.setValue(tag, forHTTPHeaderField: "If-Range")
        }
        do throws(DownloadError) {
            try await transfers.run(WebTransfer(session.dataTask(with: request), part))
        } catch {
            switch error {
            // The server's file and the part here don't match.
            case .wrongRange, .wrongLength, .status(416, _): try part.startOver()
            default: break
            }
            throw error
        }
    }
}

/// A request for a part, and the function that waits for its end. Everything happens on the queue of the transfers.
private final class WebTransfer: @unchecked Sendable {
    let task: URLSessionTask
    let part: DownloadPart
    var result: Result<Void, DownloadError>?
    var continuation: CheckedContinuation<Result<Void, DownloadError>, Never>?
    var hasBegun = false
    var redirects = 0

    init(_ task: URLSessionTask, _ part: DownloadPart) {
        self.task = task
        self.part = part
    }
}

/// The requests that are underway. Everything happens on the queue.
private final class WebTransfers: NSObject, @unchecked Sendable {
    private static let maximumRedirects = 5

    let queue: OperationQueue
    private var underway: [Int: WebTransfer] = [:]

    override init() {
        #if canImport(FoundationNetworking)
        queue = BoundedQueue()
        #else
        queue = OperationQueue()
        #endif
        queue.maxConcurrentOperationCount = 1
    }

    func run(_ transfer: WebTransfer) async throws(DownloadError) {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { self.start(transfer, continuation) }
                // On Linux, this waits for the session, which may wait for room in the queue.
                transfer.task.resume()
            }
        } onCancel: {
            queue.addOperation { self.end(transfer, .failure(.cancelled)) }
        }
        try result.get()
    }

    private func start(
        _ transfer: WebTransfer,
        _ continuation: CheckedContinuation<Result<Void, DownloadError>, Never>
    ) {
        if let result = transfer.result { return continuation.resume(returning: result) }
        transfer.continuation = continuation
        underway[transfer.task.taskIdentifier] = transfer
    }

    /// Ends a request. Only the first call counts.
    private func end(_ transfer: WebTransfer, _ result: Result<Void, DownloadError>) {
        guard transfer.result == nil else { return }
        transfer.result = result
        underway[transfer.task.taskIdentifier] = nil
        transfer.continuation?.resume(returning: result)
        transfer.continuation = nil
        // On Linux, this waits for the session, which may wait for room in this queue.
        DispatchQueue.global().async { transfer.task.cancel() }
    }

    /// Does something with the transfer of a task. If that fails, the transfer ends.
    private func pass(_ task: URLSessionTask, _ use: (WebTransfer) throws(DownloadError) -> Void) {
        guard let transfer = underway[task.taskIdentifier] else { return }
        do throws(DownloadError) { try use(transfer) } catch { end(transfer, .failure(error)) }
    }

    private func begin(_ transfer: WebTransfer, _ response: URLResponse?) throws(DownloadError) {
        guard !transfer.hasBegun, let response = response as? HTTPURLResponse else { return }
        transfer.hasBegun = true
        let part = transfer.part
        guard try !response.isRest(of: part.file, from: part.length, tag: part.tag) else { return }
        try part.startOver(tag: response.strongTag)
    }
}

extension WebTransfers: URLSessionDataDelegate {
    func urlSession(
        _: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Nobody waits for the answer of a request that has ended, and on Linux a second one would be fatal.
        guard let transfer = underway[task.taskIdentifier] else { return }
        transfer.redirects += 1
        let isSafe = URLCatalogSource.mayRedirect(from: response.url, to: newRequest.url)
        guard isSafe, transfer.redirects <= Self.maximumRedirects else {
            completionHandler(nil)
            return end(transfer, .failure(isSafe ? .tooManyRedirects : .unsafeRedirect))
        }
        completionHandler(newRequest)
    }

    func urlSession(
        _: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        pass(dataTask) { transfer throws(DownloadError) in try begin(transfer, response) }
        completionHandler(underway[dataTask.taskIdentifier] == nil ? .cancel : .allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        pass(dataTask) { transfer throws(DownloadError) in
            if transfer.hasBegun { try transfer.part.add(data) }
        }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        pass(task) { transfer throws(DownloadError) in
            if let error { throw DownloadError(error) }
            // On Linux, a redirect without an address is reported only here.
            try begin(transfer, task.response)
            guard transfer.hasBegun else { throw .unreachable(reason: "no answer") }
            guard transfer.part.isWhole else { throw .wrongLength }
            end(transfer, .success(()))
        }
    }
}

extension DownloadError {
    /// An error of a session.
    init(_ error: any Error) {
        let fileErrors = NSURLErrorDownloadDecodingFailedToComplete...NSURLErrorCannotCreateFile
        switch (error as? URLError)?.errorCode {
        case NSURLErrorTimedOut?: self = .timedOut
        case fileErrors?: self = .storage(error.localizedDescription)
        default: self = .unreachable(reason: error.localizedDescription)
        }
    }

    /// Whether a session reports with an error that a request was cancelled.
    static func isCancellation(_ error: any Error) -> Bool { (error as? URLError)?.errorCode == NSURLErrorCancelled }
}
