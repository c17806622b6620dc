/// Loads files from the web.
protocol DownloadTransport: Sendable {
    /// The number of files to load at a time.
    var simultaneousFiles: Int { get }

    /// Loads the missing bytes of a file, so that its part is whole. The digest is checked later.
    ///
    /// - Throws: Why it isn't whole. Downloads that can be continued are kept.
    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError)
}
