package import ReferralFoundation

/// Loads the files that the catalog names for an item, and puts them into the folder of its content.
///
/// A file counts once it has its length and its digest, and is on the disk. What is loaded of a file is kept with the
/// server's tag for it, so that only the rest is loaded after an interruption.
public struct ContentDownloads: ContentLoader {
    package typealias File = CatalogItem.File

    /// Why files couldn't be loaded.
    package struct Failure: Error {
        /// The file in the catalog; `nil` if it is about all of them.
        var path: String?
        var error: DownloadError
        /// Whether so much more is kept than before that the next pause needn't be longer.
        var hasProgressed = false
    }

    /// The number of bytes, in addition to those that were kept, that are a progress: 64 KiB.
    private static let smallestProgress = 1 << 16

    static let maximumSimultaneousFiles = 16

    private let simultaneousFiles: Int
    private let freeSpace: @Sendable (URL) -> Int?
    private let place: @Sendable (URL) -> URL
    private let loadRest: @Sendable (DownloadPart, URL) async throws(DownloadError) -> Void

    /// Loads files while the app runs. On Apple's platforms, requests wait until there is a connection.
    ///
    /// - Parameter simultaneousFiles: The number of files to load at a time, from 1 to 16.
    public init(simultaneousFiles: Int = 4) { self.init(simultaneousFiles: simultaneousFiles, place: { $0 }) }

    /// Creates downloads.
    ///
    /// - Parameters:
    ///   - simultaneousFiles: The number of files to load at a time.
    ///   - freeSpace: Returns the room on a folder's disk, in bytes; `nil` if it isn't known.
    ///   - place: Returns where an address of the catalog is; for tests, somewhere else.
    ///   - loadRest: Loads the missing bytes of a file from an address.
    init(
        simultaneousFiles: Int = 4,
        freeSpace: @escaping @Sendable (URL) -> Int? = { Self.systemFreeSpace(in: $0) },
        place: @escaping @Sendable (URL) -> URL = { $0 },
        loadRest: @escaping @Sendable (DownloadPart, URL) async throws(DownloadError) -> Void = {
            part,
            address throws(DownloadError) in try await part.load(from: address)
        }
    ) {
        self.simultaneousFiles = min(max(1, simultaneousFiles), Self.maximumSimultaneousFiles)
        self.freeSpace = freeSpace
        self.place = place
        self.loadRest = loadRest
    }

    package func has(_ files: [File], in content: URL) async -> Bool { ContentFolder(content).has(files) }

    package func load(
        _ files: [File],
        by contentGuard: ContentGuard?,
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
        let meter = DownloadMeter(kept, of: total, reports)
        var (before, left) = (kept, Failure?.none)
        repeat {
            before = keptLength(of: contents, in: folder)
            left = await load(contents, by: contentGuard, in: folder, meter)
            // It may have another address by now.
        } while contentGuard != nil && [.expiredAddress, .status(403), .status(410)].contains(left?.error)
            && keptLength(of: contents, in: folder) >= before + Self.smallestProgress
        guard var failure = left else { return true }
        let progress = keptLength(of: contents, in: folder) - kept
        failure.hasProgressed = progress >= Self.smallestProgress
        if case .noSpace = failure.error { failure.error = .noSpace(needed: needed - progress) }
        throw failure
    }

    package func install(_ files: [File], in content: URL) async throws(DownloadError) {
        let folder = ContentFolder(content)
        try folder.install(files)
        guard folder.has(files) else { throw .storage("Files have gone.") }
    }

    /// The number of bytes that can be written in a folder; `nil` if it isn't known, as on systems other than Apple's.
    private static func systemFreeSpace(in folder: URL) -> Int? {
        #if canImport(Darwin)
        // This includes files that the system removes if an app needs the room.
        let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
        // On a volume that isn't APFS, and before a user has logged in, a Mac says 0
        // ([report](https://github.com/ninxsoft/mist-cli/issues/129)). If the disk really is full, writing fails.
        return values?.volumeAvailableCapacityForImportantUsage.flatMap { $0 > 0 ? Int(clamping: $0) : nil }
        #else
        return nil
        #endif
    }

    private func keptLength(of files: [File], in folder: ContentFolder) -> Int {
        files.reduce(0) { $0 + DownloadPart.keptLength(of: $1, in: folder) }
    }

    package func ask(_ contentGuard: ContentGuard) async throws(DownloadError) {
        _ = try await contentGuard.addresses(from: place(contentGuard.address))
    }

    /// Loads files, several at a time, and returns the failure that says most. Who guards them is asked first.
    private func load(
        _ files: [File],
        by contentGuard: ContentGuard?,
        in folder: ContentFolder,
        _ meter: DownloadMeter
    ) async -> Failure? {
        var address: ContentGuard.Addresses = { place($0.url) }
        if let contentGuard, !files.allSatisfy(folder.isLoaded) {
            do throws(DownloadError) {
                address = try await contentGuard.addresses(from: place(contentGuard.address))
            } catch { return Failure(error: error) }
        }
        return await withTaskGroup(of: Failure?.self) { group in
            var (waiting, failures) = (files[...], [Failure]())
            func loadNext() {
                guard let file = waiting.popFirst() else { return }
                group.addTask { [address] in await self.failure(of: file, at: address, in: folder, meter) }
            }
            for _ in 0..<min(simultaneousFiles, files.count) { loadNext() }
            for await failure in group {
                if let failure { failures.append(failure) }
                // Without a line, each of a thousand files would wait for its time limit.
                if failure?.error.concernsAllFiles == true { waiting = [] }
                loadNext()
            }
            return failures.first(where: \.error.concernsAllFiles) ?? failures.first
        }
    }

    private func failure(
        of file: File,
        at address: ContentGuard.Addresses,
        in folder: ContentFolder,
        _ meter: DownloadMeter
    ) async -> Failure? {
        do throws(DownloadError) {
            guard !folder.isLoaded(file) else { return nil }
            let part = try DownloadPart(of: file, in: folder, meter)
            if !part.isWhole { try await loadRest(part, address(file)) }
            try folder.accept(file)
            return nil
        } catch {
            return Failure(path: file.path, error: error)
        }
    }
}
