import ReferralFoundation

/// Loads files from the web.
protocol DownloadTransport: Sendable {
    /// The number of files to load at a time.
    var simultaneousFiles: Int { get }

    /// Connects to the downloads that an earlier process has handed to the system. The folder contains the folders for content.
    func connect(_ contents: URL)

    /// The number of bytes of a file that are here and can be continued.
    func keptLength(of file: CatalogItem.File, in folder: ContentFolder) -> Int

    /// Cancels what is being loaded for a folder, also if nobody waits for it, except some files.
    func cancelAll(in folder: ContentFolder, except files: [CatalogItem.File])

    /// Loads the missing bytes of a file, so that its part is whole. The digest is checked later.
    ///
    /// - Throws: Why it isn't whole. Downloads that can be continued are kept.
    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError)
}

extension DownloadTransport {
    // Without a call to `load`, nothing is underway.
    func connect(_: URL) {}
    func cancelAll(in _: ContentFolder, except _: [CatalogItem.File]) {}

    func keptLength(of file: CatalogItem.File, in folder: ContentFolder) -> Int {
        DownloadPart.keptLength(of: file, in: folder)
    }
}
