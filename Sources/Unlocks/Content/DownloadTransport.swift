import UnlockCatalog

/// Loads files from the web.
protocol DownloadTransport: Sendable {
    /// The number of files to load at a time.
    var simultaneousFiles: Int { get }

    /// Loads what a folder lacks of a file, so that its part is whole. The digest is checked later.
    ///
    /// - Throws: Why it isn't whole. What can be continued is kept.
    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError)
}
