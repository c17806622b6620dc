package import ReferralFoundation

/// Loads the files that the catalog names for an item. Apps use ``ContentDownloads``, and tests one in memory.
package protocol ContentLoader: Sendable {
    /// Whether a folder has exactly these files of the catalog.
    func has(_ files: [CatalogItem.File], in content: URL) async -> Bool

    /// Loads the files that a folder doesn't have. The folder remains as it is until ``install(_:in:)``, but if nothing is
    /// missing, those that the catalog doesn't name any more are removed.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - contentGuard: Who gives out their addresses; `nil` if the catalog has them.
    ///   - content: The folder. It needn't exist.
    ///   - others: The content of other grants. A file that is there too is copied.
    ///   - reports: Receives the progress, if something is missing.
    /// - Returns: Whether there is something to install.
    /// - Throws: The failure that says most, if a file couldn't be loaded.
    func load(
        _ files: [CatalogItem.File],
        by contentGuard: ContentGuard?,
        into content: URL,
        besides others: [DeliveredContent],
        _ reports: AsyncStream<DownloadProgress>.Continuation
    ) async throws(ContentDownloads.Failure) -> Bool

    /// Asks whether the addresses of files would be given out, and throws why they aren't.
    func ask(_ contentGuard: ContentGuard) async throws(DownloadError)

    /// Puts loaded files into their places in a folder, which exists.
    func install(_ files: [CatalogItem.File], in content: URL) async throws(DownloadError)
}

/// The content of a grant. It may contain files of another grant: a subscription's renewal has those of the month before.
package struct DeliveredContent {
    package let folder: URL
    /// The files that the catalog names for it now.
    package let files: [CatalogItem.File]
}
