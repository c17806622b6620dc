import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answer to a request, whatever its status, in memory.
final class WebAnswer: @unchecked Sendable {
    private let limit: Int

    // On the queue of the session until the request has ended.
    private var response: HTTPURLResponse?
    private(set) var body = Data()

    /// Requests an address.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - tag: The tag of the content that is already there, if any.
    ///   - limit: The most bytes that the answer may have. The request ends at the first byte after them.
    ///   - timeLimit: The time limit in seconds, from the request to the last byte.
    ///   - session: The session.
    /// - Throws: Why the answer isn't whole.
    init(
        _ address: URL,
        unless tag: String? = nil,
        limit: Int,
        timeLimit: TimeInterval,
        in session: WebSession = .shared
    ) async throws(DownloadError) {
        self.limit = limit
        var request = URLRequest(url: address)
        if let tag { request.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        try await session.send(request, to: self, within: timeLimit)
    }

    var status: Int { response?.statusCode ?? 0 }

    var tag: String? { header("ETag") }

    /// The server's date, if the answer came over https. A cache keeps it, and adds the seconds since then (RFC 9110).
    var date: Date? {
        guard response?.url?.scheme?.lowercased() == "https" else { return nil }
        return HTTPDate.answered(header("Date"), age: header("Age"))
    }

    private func header(_ name: String) -> String? { response?.value(forHTTPHeaderField: name) }
}

extension WebAnswer: WebReceiver {
    func begin(_ response: HTTPURLResponse) throws(DownloadError) {
        self.response = response
        if response.expectedContentLength > limit { throw .tooLarge(limit) }
    }

    func add(_ data: Data) throws(DownloadError) {
        guard body.count + data.count <= limit else { throw .tooLarge(limit) }
        body += data
    }

    func end() {}
}
