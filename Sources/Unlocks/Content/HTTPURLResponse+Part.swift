import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Judges whether the body is a file or the rest of it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - position: The position from which it was requested.
    ///   - tag: The tag of the beginning.
    /// - Returns: Whether it is the rest.
    /// - Throws: ``DownloadError``, if the body is neither of them.
    func isRest(of file: CatalogItem.File, from position: Int, tag: String?) throws(DownloadError) -> Bool {
        let isRest: Bool
        switch statusCode {
        case 200: isRest = false
        case 206 where position > 0: isRest = true
        default: throw .status(statusCode, retryAfter: retryAfter)
        }
        if isRest {
            let range = "bytes \(position)-\(file.length - 1)/"
            guard [range + "\(file.length)", range + "*"].contains(value("Content-Range")) else { throw .wrongRange }
            // The answer to a date in `If-Range` needs no tag.
            if let other = value("ETag"), tag?.hasPrefix("\"") == true, other != tag { throw .wrongRange }
        }
        guard (value("Content-Encoding") ?? "identity").lowercased() == "identity" else { throw .encoded }
        let expected = "\(isRest ? file.length - position : file.length)"
        guard (value("Content-Length") ?? expected) == expected else { throw .wrongLength }
        return isRest
    }

    /// The value for `If-Range`: a strong validator (RFC 9110, section 8.8), without which parts must not be combined.
    var strongTag: String? {
        if let tag = value("ETag") { return tag.hasPrefix("\"") ? tag : nil }
        // A file may change twice in a second, and the clocks of several servers differ.
        guard let modified = value("Last-Modified"), let changed = HTTPDate.date(modified), let sent = date,
            sent.timeIntervalSince(changed) >= 60
        else { return nil }
        return modified
    }

    /// The pause, in seconds, for which a busy server asks. At most an hour counts, as after failures.
    private var retryAfter: Double? {
        guard [429, 503].contains(statusCode), let text = value("Retry-After") else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(ASCII.isDigit)
        let seconds = isNumber ? Double(text) : HTTPDate.date(text).flatMap { end in date.map(end.timeIntervalSince) }
        return seconds.map { min(max(0, $0), 3_600) }
    }

    private var date: Date? { value("Date").flatMap(HTTPDate.date) }

    private func value(_ name: String) -> String? { value(forHTTPHeaderField: name) }
}
