/// How much of an item's files is loaded.
public struct DownloadProgress: Sendable, Hashable {
    /// The number of bytes that are loaded.
    public let completedBytes: Int
    /// The number of bytes to load: all files that are missing or have changed.
    public let totalBytes: Int

    /// The part that is loaded, from 0 to 1.
    public var fraction: Double { totalBytes > 0 ? Double(completedBytes) / Double(totalBytes) : 1 }
}
