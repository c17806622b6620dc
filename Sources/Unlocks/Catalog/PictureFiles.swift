package import ReferralFoundation

/// Loads pictures from the web, and keeps them in a folder, so that each is loaded once and is also there offline.
///
/// A catalog has only `https` addresses, and a redirect never leads to a less safe one.
package actor PictureFiles {
    /// The size of the largest picture in bytes: 2 MiB.
    package static let maximumLength = 2 << 20

    /// The number of pictures that are kept.
    package static let maximumCount = 100

    private let folder: URL
    private let timeLimit: Double

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - folder: The folder. It is created with the first picture.
    ///   - timeLimit: The time limit for a picture in seconds, from the request to the last byte.
    package init(_ folder: URL, timeLimit: Double = 20) {
        self.folder = folder
        self.timeLimit = timeLimit
    }

    /// Returns a picture from the folder or from the web.
    ///
    /// A picture that can't be decoded isn't kept, so it is loaded again next time.
    ///
    /// - Parameters:
    ///   - address: The address. Its picture is expected never to change.
    ///   - decode: Decodes the picture; `nil` if that isn't possible. It doesn't run on the main actor.
    /// - Returns: The decoded picture; `nil` if it can't be loaded, is too large, or can't be decoded.
    package func picture<Picture: Sendable>(
        at address: URL,
        decode: @Sendable (Data) -> Picture?
    ) async -> Picture? {
        let file = folder.appendingPathComponent(SHA256.digest(Array(address.absoluteString.utf8)).hexadecimal)
        if let data = try? Data(contentsOf: file), let picture = decode(data) { return picture }
        let answer = try? await WebAnswer(address, limit: Self.maximumLength, timeLimit: timeLimit)
        guard let answer, answer.status == 200, let picture = decode(answer.body) else { return nil }
        keep(answer.body, as: file)
        return picture
    }

    /// Writes a picture. If that fails, it is loaded again next time.
    private func keep(_ data: Data, as file: URL) {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        folder.excludeFromBackup()
        try? data.write(to: file, options: .atomic)
        removeOldest()
    }

    private func removeOldest() {
        let manager = FileManager.default
        guard let names = try? manager.contentsOfDirectory(atPath: folder.path) else { return }
        let surplus = names.count - Self.maximumCount
        guard surplus > 0 else { return }
        let files = names.map { name in
            let file = folder.appendingPathComponent(name)
            let date = (try? manager.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
            return (file, date ?? .distantPast)
        }
        for (file, _) in files.sorted(by: { $0.1 < $1.1 }).prefix(surplus) { try? manager.removeItem(at: file) }
    }
}
