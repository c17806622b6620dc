import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The successful answer to a request, in memory.
final class WebAnswer: @unchecked Sendable {
    private let limit: Int
    private let statuses: Set<Int>

    // On the queue of the session until the request has ended.
    private var response: HTTPURLResponse?
    private(set) var body = Data()

    /// Sends a request, whose answer must have one of these statuses, and at most so many bytes.
    init(_ request: URLRequest, over session: WebSession, statuses: Set<Int>, limit: Int) async throws(DownloadError) {
        (self.limit, self.statuses) = (limit, statuses)
        try await session.send(request, to: self)
    }

    /// Requests an address.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - isFixed: Whether the content of the address never changes, so that the system's cache has it for good.
    ///   - limit: The most bytes that the answer may have. The request ends at the first byte after them.
    /// - Throws: Why there is no whole answer with the status 200.
    convenience init(_ address: URL, isFixed: Bool = false, limit: Int) async throws(DownloadError) {
        let policy = isFixed ? URLRequest.CachePolicy.returnCacheDataElseLoad : .reloadRevalidatingCacheData
        try await self.init(URLRequest(url: address, cachePolicy: policy), over: .shared, statuses: [200], limit: limit)
    }

    var status: Int { response?.statusCode ?? 0 }

    /// The server's date, if the answer came over https. A cache on the way keeps it, and adds the seconds since then (RFC 9110).
    var date: Date? {
        guard let response, response.url?.scheme?.lowercased() == "https" else { return nil }
        let date = response.value(forHTTPHeaderField: "Date").flatMap(Self.date)
        return date.map { $0 + Double(response.value(forHTTPHeaderField: "Age").flatMap { UInt32($0) } ?? 0) }
    }

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`. A server must not write the older forms.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}

extension WebAnswer: WebReceiver {
    func begin(_ response: HTTPURLResponse) throws(DownloadError) {
        self.response = response
        guard statuses.contains(response.statusCode) else { throw .status(response.statusCode) }
        if response.expectedContentLength > limit { throw .tooLarge(limit) }
    }

    func add(_ data: Data) throws(DownloadError) {
        guard body.count + data.count <= limit else { throw .tooLarge(limit) }
        body += data
    }

    func end() {}
}
