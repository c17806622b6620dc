package import ReferralFoundation

/// Loads the files that the catalog names for an item, and puts them into the folder of its content.
///
/// A file counts once it has its length and its digest, and is on the disk. What is loaded of a file is kept with the
/// server's tag for it, so that only the rest is loaded after an interruption.
///
/// ```swift
/// let unlocks = UnlockCenter(store: store, catalog: catalog, folder: folder, context: context, downloads: ContentDownloads())
/// ```
public struct ContentDownloads: ContentLoader {
    package typealias File = CatalogItem.File

    /// Why files couldn't be loaded.
    package struct Failure: Error {
        /// The file in the catalog; `nil` if it is about all of them.
        var path: String?
        var error: DownloadError
        /// Whether so much more is kept than before that the next pause needn't be longer.
        var hasProgressed = false
        /// The seconds for which a busy server asks.
        var retryAfter: Double?
    }

    /// The number of bytes, in addition to those that were kept, that are a progress: 64 KiB.
    private static let smallestProgress = 1 << 16

    private let transport: any DownloadTransport
    private let freeSpace: @Sendable (URL) -> Int?

    /// Loads files while the app runs.
    ///
    /// - Parameter simultaneousFiles: The number of files to load at a time.
    public init(simultaneousFiles: Int = 4) {
        self.init(WebTransport(simultaneousFiles: max(1, simultaneousFiles)))
    }

    /// Creates downloads.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - freeSpace: Returns the room on a folder's disk, in bytes; `nil` if it isn't known.
    init(
        _ transport: any DownloadTransport,
        freeSpace: @escaping @Sendable (URL) -> Int? = { FreeSpace.bytes(in: $0) }
    ) {
        self.transport = transport
        self.freeSpace = freeSpace
    }

    package func has(_ files: [File], in content: URL) async -> Bool { ContentFolder(content).has(files) }

    package func load(
        _ files: [File],
        into content: URL,
        besides others: [DeliveredContent],
        _ reports: AsyncStream<DownloadProgress>.Continuation
    ) async throws(Failure) -> Bool {
        let folder = ContentFolder(content)
        let missing: [File]
        do throws(DownloadError) {
            try folder.make()
            folder.removeStrays(except: files)
            missing = files.filter { !folder.isInPlace($0) }
            guard !missing.isEmpty else {
                try folder.install(files)
                return false
            }
        } catch {
            throw Failure(error: error)
        }
        // Of equal files one is loaded.
        var names: Set<String> = []
        let contents = missing.filter { names.insert($0.contentName).inserted }
        for file in contents { folder.copy(file, from: others) }
        let total = contents.reduce(0) { $0 + $1.length }
        let kept = keptLength(of: contents, in: folder)
        let needed = missing.reduce(0) { $0 + $1.length } - kept
        if let space = freeSpace(folder.files), space < needed { throw Failure(error: .noSpace(needed: needed)) }
        guard var failure = await load(contents, in: folder, DownloadMeter(kept, of: total, reports)) else {
            return true
        }
        let progress = keptLength(of: contents, in: folder) - kept
        failure.hasProgressed = progress >= Self.smallestProgress
        if case .noSpace = failure.error { failure.error = .noSpace(needed: needed - progress) }
        throw failure
    }

    package func install(_ files: [File], in content: URL) async throws(DownloadError) {
        let folder = ContentFolder(content)
        try folder.install(files)
        guard folder.has(files) else { throw .storage("Files in \(content.path) have gone.") }
    }

    private func keptLength(of files: [File], in folder: ContentFolder) -> Int {
        files.reduce(0) { $0 + DownloadPart.keptLength(of: $1, in: folder) }
    }

    /// Loads files, several at a time, and returns the failure that says most.
    private func load(_ files: [File], in folder: ContentFolder, _ meter: DownloadMeter) async -> Failure? {
        await withTaskGroup(of: Failure?.self) { group in
            var (waiting, failures) = (files[...], [Failure]())
            func loadNext() {
                guard let file = waiting.popFirst() else { return }
                group.addTask { await self.failure(of: file, in: folder, meter) }
            }
            for _ in 0..<min(transport.simultaneousFiles, files.count) { loadNext() }
            for await failure in group {
                if let failure { failures.append(failure) }
                // Without a line, each of a thousand files would wait for its time limit.
                if failure?.error.concernsAllFiles == true { waiting = [] }
                loadNext()
            }
            var failure = failures.first(where: \.error.concernsAllFiles) ?? failures.first
            failure?.retryAfter = failures.compactMap(\.error.retryAfter).max()
            return failure
        }
    }

    private func failure(of file: File, in folder: ContentFolder, _ meter: DownloadMeter) async -> Failure? {
        do throws(DownloadError) {
            guard !folder.isLoaded(file) else { return nil }
            try await transport.load(file, in: folder, meter)
            try folder.accept(file)
            return nil
        } catch {
            return Failure(path: file.path, error: error)
        }
    }
}
