import Foundation

@testable import Unlocks

/// Loads files from the simulated web onto the simulated disk in one process, step by step as ``ContentDownloads`` does.
@MainActor
final class SimulatedLoader: ContentLoader {
    typealias File = CatalogItem.File

    /// A call that isn't over yet.
    struct Loading {
        let folder: String
        let files: [File]
        /// What was reported last.
        var progress: DownloadProgress?
    }

    /// What is being loaded.
    private(set) var loading: [Loading] = []
    /// Called when the loading of files begins and when it ends.
    var willLoad: (_ folder: String, [File], ContentGuard?) -> Void = { _, _, _ in }
    var didLoad: (_ folder: String, ContentDownloads.Failure?) -> Void = { _, _ in }
    /// Called when a server was asked whether it would still give out files.
    var didProve: (ContentGuard, DownloadError?) -> Void = { _, _ in }
    /// Called before a file gets its place, or the list is written.
    var willInstall: () -> Void = {}
    /// Called when a file that wasn't in a folder gets its place there.
    var didPlace: (_ folder: String) -> Void = { _ in }
    /// Called before a request for a file, from a position.
    var willAsk: (_ folder: String, File, Int) -> Void = { _, _, _ in }
    /// Called with the number of bytes of a file that are on the disk.
    var didKeep: (_ folder: String, File, Int) -> Void = { _, _, _ in }
    /// Waits before each look at what a folder has.
    var pauseBeforeLook: @MainActor () async -> Void = {}
    /// Lets a request take time.
    var pause: @MainActor (Double) async -> Void = { _ in }

    private let web: SimulatedWeb
    private let storage: MemoryStorage

    init(_ web: SimulatedWeb, _ storage: MemoryStorage) {
        self.web = web
        self.storage = storage
    }

    private subscript(folder: String) -> ContentFiles {
        get { storage.disk.files[folder] ?? ContentFiles() }
        set { if storage.disk.files[folder] != nil { storage.disk.files[folder] = newValue } }
    }

    func has(_ files: [File], in content: URL) async -> Bool {
        await pauseBeforeLook()
        await storage.use()
        return self[content.lastPathComponent].has(files)
    }

    func load(
        _ files: [File],
        by contentGuard: ContentGuard?,
        into content: URL,
        besides others: [DeliveredContent],
        _ reports: AsyncStream<DownloadProgress>.Continuation
    ) async throws(ContentDownloads.Failure) -> Bool {
        let folder = content.lastPathComponent
        willLoad(folder, files, contentGuard)
        loading.append(Loading(folder: folder, files: files))
        defer { loading.removeAll { $0.folder == folder } }
        do throws(ContentDownloads.Failure) {
            let isNew = try await load(files, contentGuard, folder, others, reports)
            didLoad(folder, nil)
            return isNew
        } catch {
            didLoad(folder, error)
            throw error
        }
    }

    private func load(
        _ files: [File],
        _ contentGuard: ContentGuard?,
        _ folder: String,
        _ others: [DeliveredContent],
        _ reports: AsyncStream<DownloadProgress>.Continuation
    ) async throws(ContentDownloads.Failure) -> Bool {
        let missing: [File]
        do throws(DownloadError) {
            if storage.disk.files[folder] == nil {
                try await write { if $0 > 0 { storage.disk.files[folder] = ContentFiles() } }
            } else {
                await storage.use()
            }
            self[folder].removeStrays(except: files)
            missing = files.filter { self[folder].placed[$0.path] != $0.content }
            guard !missing.isEmpty else {
                try await install(files, folder)
                return false
            }
        } catch {
            throw ContentDownloads.Failure(error: error)
        }
        var names: Set<Character> = []
        let contents = missing.filter { names.insert($0.content).inserted }
        for file in contents { await copy(file, from: others, to: folder) }
        let (kept, total) = (self[folder].kept(of: contents), contents.reduce(0) { $0 + $1.length })
        func report() {
            let progress = DownloadProgress(completedBytes: self[folder].kept(of: contents), totalBytes: total)
            guard let index = loading.firstIndex(where: { $0.folder == folder }) else { return }
            loading[index].progress = progress
            reports.yield(progress)
        }
        report()
        var (before, left) = (kept, ContentDownloads.Failure?.none)
        repeat {
            before = self[folder].kept(of: contents)
            left = await load(contents, contentGuard, folder, report)
        } while left?.error == .expiredAddress && self[folder].kept(of: contents) >= before + 1 << 16
        guard var failure = left else { return true }
        failure.hasProgressed = self[folder].kept(of: contents) - kept >= 1 << 16
        throw failure
    }

    private func load(
        _ contents: [File],
        _ contentGuard: ContentGuard?,
        _ folder: String,
        _ report: () -> Void
    ) async -> ContentDownloads.Failure? {
        var (end, failures) = (Timestamp?.none, [ContentDownloads.Failure]())
        if contentGuard != nil, !contents.allSatisfy({ self[folder].whole.contains($0.content) }) {
            do throws(DownloadError) { end = try await askForAddresses() } catch {
                return ContentDownloads.Failure(error: error)
            }
        }
        for file in contents where failures.last?.error.concernsAllFiles != true {
            do throws(DownloadError) { try await load(file, folder, until: end, report) } catch {
                failures.append(ContentDownloads.Failure(path: file.path, error: error))
            }
        }
        return failures.first(where: \.error.concernsAllFiles) ?? failures.first
    }

    private func askForAddresses() async throws(DownloadError) -> Timestamp {
        try checkEnd()
        let answer = Result { () throws(DownloadError) in try web.askForAddresses() }
        if web.seconds > 0 { await pause(web.seconds) }
        try checkEnd()
        return try web.now().advanced(by: answer.get())
    }

    private func copy(_ file: File, from others: [DeliveredContent], to folder: String) async {
        let name = file.content
        for other in others where !self[folder].whole.contains(name) {
            let twins = other.files.filter { $0.content == name }
            let placed = self[other.folder.lastPathComponent].placed
            guard twins.contains(where: { placed[$0.path] == name }) else { continue }
            try? await write(in: folder) {
                guard $0 > 0 else { return }
                self[folder].parts[name] = nil
                self[folder].whole.insert(name)
            }
        }
        if self[folder].whole.contains(name) { didKeep(folder, file, file.length) }
    }

    private func load(
        _ file: File,
        _ folder: String,
        until end: Timestamp?,
        _ report: () -> Void
    ) async throws(DownloadError) {
        let name = file.content
        guard !self[folder].whole.contains(name) else { return }
        let position = self[folder].kept(of: file)
        if position == 0 { try await startOver(file, folder) }
        if position < file.length, let end, web.now() >= end { throw .expiredAddress }
        if position < file.length { try await request(file, folder, from: position, report) }
        guard let part = self[folder].parts[name], !part.isWrong, file.length == File.length(of: name) else {
            self[folder].parts[name] = nil
            didKeep(folder, file, 0)
            report()
            throw .wrongDigest
        }
        try await write(in: folder) {
            guard $0 > 0 else { return }
            self[folder].parts[name] = nil
            self[folder].whole.insert(name)
        }
        didKeep(folder, file, file.length)
    }

    /// Removes the beginning of a file.
    private func startOver(_ file: File, _ folder: String) async throws(DownloadError) {
        try await write(in: folder) {
            guard $0 > 0 else { return }
            self[folder].parts[file.content] = .init(address: file.url.absoluteString, version: web.version)
        }
        didKeep(folder, file, 0)
    }

    private func request(
        _ file: File,
        _ folder: String,
        from position: Int,
        _ report: () -> Void
    ) async throws(DownloadError) {
        try checkEnd()
        willAsk(folder, file, position)
        var (manner, seconds) = (web.ask(), web.seconds)
        // The catalog may state anything.
        if manner == .works, file.length != File.length(of: file.content) { manner = .wrongLength }
        /// A half of the answer.
        func add(_ count: Int) async throws(DownloadError) {
            if seconds > 0 { await pause(seconds / 2) }
            try checkEnd()
            try await write(in: folder) {
                guard $0 > 0, self[folder].parts[file.content] != nil else { return }
                self[folder].parts[file.content]?.length += count
                if manner == .wrongBytes { self[folder].parts[file.content]?.isWrong = true }
            }
            didKeep(folder, file, self[folder].kept(of: file))
            report()
        }
        switch manner {
        case .offline: throw .unreachable(reason: "offline")
        case .status(let status):
            if seconds > 0 { await self.pause(seconds) }
            try checkEnd()
            throw .status(status)
        case .silent:
            await pause(SimulatedWeb.timeLimit)
            try checkEnd()
            throw .unreachable(reason: "the request timed out")
        case .wrongLength:
            try await startOver(file, folder)
            report()
            throw .wrongLength
        case .works, .breaksOff, .wrongBytes: break
        }
        var rest = file.length - position
        if self[folder].parts[file.content]?.version != web.version {
            try await startOver(file, folder)
            report()
            rest = file.length
        }
        try await add(rest / 2)
        if manner == .breaksOff { throw .unreachable(reason: "broken") }
        try await add(rest - rest / 2)
    }

    func ask(_ contentGuard: ContentGuard) async throws(DownloadError) {
        let answer = await Result { () async throws(DownloadError) in _ = try await askForAddresses() }
        didProve(contentGuard, answer.failure)
        try answer.get()
    }

    func install(_ files: [File], in content: URL) async throws(DownloadError) {
        let folder = content.lastPathComponent
        try await install(files, folder)
        guard self[folder].has(files) else { throw .storage("Files have gone.") }
    }

    private func install(_ files: [File], _ folder: String) async throws(DownloadError) {
        self[folder].removeOld(except: files)
        guard !files.isEmpty else {
            try await write {
                guard $0 > 0 else { return }
                (self[folder].list, self[folder].whole, self[folder].parts) = ([], [], [:])
            }
            return
        }
        if files.contains(where: { self[folder].whole.contains($0.content) }) {
            willInstall()
            try await write(in: folder) { if $0 > 0 { self[folder].list = self[folder].list(before: files) } }
        }
        var rest: [Character: Int] = [:]
        for file in files { rest[file.content, default: 0] += 1 }
        for file in files {
            rest[file.content, default: 1] -= 1
            guard self[folder].whole.contains(file.content) else { continue }
            willInstall()
            try await write(in: folder) {
                guard $0 > 0 else { return }
                if self[folder].placed[file.path] != file.content { didPlace(folder) }
                self[folder].placed[file.path] = file.content
                if rest[file.content] == 0 { self[folder].whole.remove(file.content) }
            }
        }
        let list = Set(files.map(ContentFiles.Entry.init))
        if self[folder].list != list {
            willInstall()
            try await write(in: folder) { if $0 > 0 { self[folder].list = list } }
        }
        self[folder].removeStrays(except: [])
    }

    /// Writes something onto the disk, which may be slow or full, or may be where the process ends. It takes longer than a line
    /// of the journal.
    private func write(in folder: String? = nil, _ change: (Int) -> Void) async throws(DownloadError) {
        for _ in 0..<3 { await storage.use() }
        if let folder, storage.disk.files[folder] == nil { throw .storage("The folder has gone.") }
        do throws(UnlocksError) {
            try storage.write(change)
        } catch {
            throw storage.hasEnded ? .storage("The process has ended.") : .noSpace(needed: 0)
        }
    }

    /// Whether the request still counts.
    private func checkEnd() throws(DownloadError) {
        if storage.hasEnded { throw .storage("The process has ended.") }
        if Task.isCancelled { throw .cancelled }
    }
}
