import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The successful answer to a request, in memory.
final class WebAnswer: @unchecked Sendable {
    private let limit: Int

    // On the queue of the session until the request has ended.
    private var response: HTTPURLResponse?
    private(set) var body = Data()

    /// Requests an address.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - isFixed: Whether the content of the address never changes, so that the system's cache has it for good.
    ///   - limit: The most bytes that the answer may have. The request ends at the first byte after them.
    /// - Throws: Why there is no whole answer with the status 200.
    init(_ address: URL, isFixed: Bool = false, limit: Int) async throws(DownloadError) {
        self.limit = limit
        let policy = isFixed ? URLRequest.CachePolicy.returnCacheDataElseLoad : .reloadRevalidatingCacheData
        try await WebSession.shared.send(URLRequest(url: address, cachePolicy: policy), to: self)
    }

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
        guard response.statusCode == 200 else { throw .status(response.statusCode) }
        if response.expectedContentLength > limit { throw .tooLarge(limit) }
    }

    func add(_ data: Data) throws(DownloadError) {
        guard body.count + data.count <= limit else { throw .tooLarge(limit) }
        body += data
    }

    func end() {}
}
