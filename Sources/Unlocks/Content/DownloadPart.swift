import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The beginning of a file, and where it is from. It requests and receives the rest.
///
/// No bytes are ever added to those of another version of the file: before the tag changes, the bytes are removed.
final class DownloadPart: @unchecked Sendable {
    /// Where the beginning is from. Without a tag, it can't be continued.
    private struct Origin: Codable {
        let url: URL
        let tag: String
    }

    let file: CatalogItem.File
    /// The number of bytes that are here.
    private(set) var length: Int { didSet { meter.add(length - oldValue) } }
    private let output: OpenFile<DownloadError>
    private let originURL: URL
    private var origin: Origin?
    private let meter: DownloadMeter

    /// Opens the beginning of a file. If it can't be continued, it is empty.
    init(of file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) throws(DownloadError) {
        self.file = file
        self.meter = meter
        originURL = folder.tag(of: file)
        (length, origin) = Self.kept(of: file, in: folder)
        output = try OpenFile(folder.part(of: file), O_RDWR | O_CREAT | O_APPEND)
        if length == 0 { try startOver() }
    }

    /// The number of bytes of a file that are here and can be continued.
    static func keptLength(of file: CatalogItem.File, in folder: ContentFolder) -> Int {
        folder.isLoaded(file) ? file.length : kept(of: file, in: folder).length
    }

    private static func kept(of file: CatalogItem.File, in folder: ContentFolder) -> (length: Int, origin: Origin?) {
        let length = folder.length(of: folder.part(of: file)) ?? 0
        let origin = (try? Data(contentsOf: folder.tag(of: file))).flatMap {
            try? JSONDecoder().decode(Origin.self, from: $0)
        }
        // Of a whole file, the digest says whether it is right.
        let isUsable = length == file.length || length < file.length && origin?.url == file.url
        return isUsable ? (length, origin) : (0, nil)
    }

    var isWhole: Bool { length == file.length }

    /// Requests what is missing. The digest is checked later.
    ///
    /// - Parameters:
    ///   - address: The address; for tests, another one than that of the file.
    ///   - timeLimit: The request fails when nothing has come for so many seconds.
    /// - Throws: Why the file isn't whole. What can be continued is kept.
    func load(from address: URL, timeLimit: Double = 30) async throws(DownloadError) {
        var request = URLRequest(url: address)
        request.timeoutInterval = timeLimit
        // The lengths of ranges are those of the file itself.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if length > 0, let tag = origin?.tag {
            request.setValue("bytes=\(length)-", forHTTPHeaderField: "Range")
            request.setValue(tag, forHTTPHeaderField: "If-Range")
        }
        do throws(DownloadError) { try await WebSession.files.send(request, to: self) } catch {
            // The server's file and the part here don't match.
            if [.wrongRange, .wrongLength, .status(416)].contains(error) { try startOver() }
            throw error
        }
    }

    /// Removes the bytes, and remembers the tag of those that come next.
    private func startOver(tag: String? = nil) throws(DownloadError) {
        try output.truncate(to: 0)
        length = 0
        origin = tag.map { Origin(url: file.url, tag: $0) }
        if let origin, let json = try? JSONEncoder().encode(origin) {
            try OpenFile<DownloadError>.replace(originURL, with: Array(json))
        } else {
            unlink(originURL.path)
        }
    }
}

extension DownloadPart: WebReceiver {
    /// Judges whether the body is the file or the rest of it.
    func begin(_ response: HTTPURLResponse) throws(DownloadError) {
        func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
        if response.statusCode == 206, length > 0 {
            let range = "bytes \(length)-\(file.length - 1)/"
            guard [range + "\(file.length)", range + "*"].contains(header("Content-Range")) else { throw .wrongRange }
            return
        }
        guard response.statusCode == 200 else { throw .status(response.statusCode) }
        guard (header("Content-Length") ?? "\(file.length)") == "\(file.length)" else { throw .wrongLength }
        // Only parts with the same strong tag may be combined (RFC 9110, section 8.8).
        try startOver(tag: header("ETag").flatMap { $0.hasPrefix("\"") ? $0 : nil })
    }

    /// Adds bytes.
    func add(_ data: Data) throws(DownloadError) {
        guard data.count <= file.length - length else { throw .wrongLength }
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(DownloadError) in try output.write(bytes) }
        }
        // After a failure, some of them may be on the disk.
        length = try output.length()
        try result.get()
    }

    func end() throws(DownloadError) { if !isWhole { throw .wrongLength } }
}
