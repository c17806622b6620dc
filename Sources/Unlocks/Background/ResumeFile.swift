import Foundation
import ReferralFoundation

/// The system's data to continue a file, saved beside its part: `DIGEST-LENGTH.resume`. It is used once.
///
/// It only saves time: whatever it leads to, the file counts only with the right length and digest.
struct ResumeFile: Codable {
    /// The largest file that is read: 1 MiB. The system's data has some kilobytes.
    private static let maximumLength = 1 << 20

    /// The address of the file.
    let url: URL
    /// The number of bytes that the system has kept.
    let received: Int
    /// The system's own data.
    let data: Data

    /// Reads it; `nil` if it is missing, isn't usable, or is about another address.
    init?(of file: CatalogItem.File, in folder: ContentFolder, from url: URL) {
        let place = folder.resumeFile(file.contentName)
        guard let length = folder.length(of: place), length <= Self.maximumLength,
            let json = try? Data(contentsOf: place), let read = try? JSONDecoder().decode(Self.self, from: json),
            read.url == url, 0..<max(1, file.length) ~= read.received
        else { return nil }
        self = read
    }

    init(url: URL, received: Int, data: Data) {
        self.url = url
        self.received = received
        self.data = data
    }

    /// Keeps it. If that fails, the file is loaded from its start.
    func write(_ name: DownloadName, in folder: ContentFolder) {
        guard let json = try? JSONEncoder().encode(self) else { return }
        try? ContentFolder.write(json, to: folder.resumeFile(name.content))
    }

    /// Removes it.
    static func remove(_ name: DownloadName, in folder: ContentFolder) { unlink(folder.resumeFile(name.content).path) }
}
