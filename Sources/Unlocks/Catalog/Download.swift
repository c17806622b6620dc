import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request whose answer is kept in memory.
final class Download: @unchecked Sendable {
    struct Answer {
        let status: Int
        let body: Data
        let tag: String?
        /// The server's date, if the answer came over https.
        let date: Date?
    }

    private let request: URLRequest
    private let limit: Int
    private let timeLimit: TimeInterval

    // On the queue of the session.
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
    }

    /// Sends the request.
    ///
    /// - Returns: The answer, whatever its status.
    func answer() async throws(CatalogLoader.LoadError) -> Answer {
        let session = WebSession()
        defer { session.invalidate() }
        let sending = Task { try await session.send(request, to: self) }
        // The session's own time limit starts again with each byte.
        let timer = Task { [timeLimit] in
            try await Task.sleep(nanoseconds: UInt64(min(timeLimit, 1e6) * 1e9))
            sending.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await sending.result
        } onCancel: {
            sending.cancel()
        }
        do { try result.get() } catch let error as CatalogLoader.LoadError {
            throw error
        } catch WebFailure.cancelled where !Task.isCancelled {
            throw .timedOut
        } catch { throw CatalogLoader.LoadError(error) }
        func header(_ name: String) -> String? { response?.value(forHTTPHeaderField: name) }
        let isSecure = response?.url?.scheme?.lowercased() == "https"
        return Answer(
            status: response?.statusCode ?? 0,
            body: body,
            tag: header("ETag"),
            date: isSecure ? HTTPDate.answered(header("Date"), age: header("Age")) : nil
        )
    }
}

extension Download: WebReceiver {
    func begin(_ response: HTTPURLResponse) throws {
        self.response = response
        if response.expectedContentLength > limit { throw CatalogLoader.LoadError.tooLarge }
    }

    func add(_ data: Data) throws {
        guard body.count + data.count <= limit else { throw CatalogLoader.LoadError.tooLarge }
        body += data
    }

    func end() {}
}

extension CatalogLoader.LoadError {
    fileprivate init(_ error: any Error) {
        self =
            switch error as? WebFailure {
            case .cancelled: .cancelled
            case .unsafeRedirect: .unsafeRedirect
            case .tooManyRedirects: .tooManyRedirects
            case .noAnswer: .unreachable(reason: "no answer")
            case .session(let error): .unreachable(reason: error.localizedDescription)
            case nil: .unreachable(reason: error.localizedDescription)
            }
    }
}
