import ReferralFoundation

/// The name of a file that is loaded in the background: the folder of its content, and its digest and length. It is the
/// description of the file's task, such as `purchase-2000000123/DIGEST-81234`.
///
/// It contains no path, since the path to an app's data can change with every update. The description comes back from the
/// system, and is checked like input from a stranger.
struct DownloadName: Hashable {
    /// The folder of the content, beside the others.
    let folder: String
    /// The digest and the length, as ``UnlockCatalog/CatalogItem/File/contentName``.
    let content: String
    /// The length of the file, in bytes.
    let length: Int

    /// Creates a name; `nil` if it can't be a description.
    init?(_ file: CatalogItem.File, in folder: ContentFolder) {
        self.init("\(folder.content.lastPathComponent)/\(file.contentName)")
    }

    /// Reads a description; `nil` if it isn't one that ``description`` writes.
    init?(_ description: String?) {
        guard let description, description.utf8.count <= 255 else { return nil }
        let parts = description.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isNameByte) else { return nil }
        let numbers = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, numbers[0].utf8.count == 64, numbers[0].utf8.allSatisfy(Self.isDigestByte),
            let length = Int(numbers[1]), length >= 0, String(length) == numbers[1]
        else { return nil }
        folder = String(parts[0])
        content = String(parts[1])
        self.length = length
    }

    var description: String { "\(folder)/\(content)" }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
    }

    private static func isDigestByte(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || (0x61...0x66).contains(byte) }
}
