import ReferralFoundation

/// The beginning of a file, and where it is from.
///
/// No bytes are ever added to those of another version of the file: before the tag changes, the bytes are removed.
final class DownloadPart {
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

    /// The tag with which the rest can be requested.
    var tag: String? { length > 0 ? origin?.tag : nil }

    var isWhole: Bool { length == file.length }

    /// Removes the bytes, and remembers the tag of those that come next.
    func startOver(tag: String? = nil) throws(DownloadError) {
        try output.truncate(to: 0)
        length = 0
        origin = tag.map { Origin(url: file.url, tag: $0) }
        if let origin, let json = try? JSONEncoder().encode(origin) {
            try ContentFolder.write(json, to: originURL)
        } else {
            unlink(originURL.path)
        }
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
}
