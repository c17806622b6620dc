import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads files with a session of the system, which continues while the app is suspended and after it has ended.
///
/// Each file is a task of the session, whose description names the file. Tasks of an earlier process are found again, so a
/// file that is underway is waited for and not requested twice. A file that comes while nobody waits becomes its whole part,
/// which the next attempt finds.
final class BackgroundTransport: DownloadTransport, @unchecked Sendable {
    /// All files at once, since a suspended app can't start the next one.
    let simultaneousFiles = CatalogItem.File.maximumCount

    let session: any BackgroundSession
    private let address: @Sendable (URL) -> URL
    private let queue = OperationQueue()
    private let lock = NSLock()
    private var folder: URL?

    /// The folder with the folders for content; `nil` until a center has started. Without it, a file that comes would be lost, so the
    /// session isn't connected.
    private(set) var contents: URL? {
        get { lock.withLock { folder } }
        set { lock.withLock { folder = newValue } }
    }

    // Everything from here on is used on the queue.

    private var isConnected = false
    /// Whether the tasks of earlier processes are known.
    private(set) var areTasksKnown = false
    /// The calls that wait for that: cancellations, and then loads.
    private var (cancellations, waits): ([() -> Void], [BackgroundWait]) = ([], [])
    /// The tasks that have ended before that.
    var endedEarly: Set<Int> = []
    /// The tasks that are underway.
    var transfers: [DownloadName: BackgroundTransfer] = [:]
    /// The callers of ``events()``.
    private var listeners: [AsyncStream<Never>.Continuation] = []
    /// Whether nothing has happened since the session passed on all events, and nobody was told.
    var isQuiet = false

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - address: Returns the address from which to load a file. Tests replace it, since they have no https.
    init(_ session: any BackgroundSession, at address: @escaping @Sendable (URL) -> URL = { $0 }) {
        self.session = session
        self.address = address
        queue.maxConcurrentOperationCount = 1
    }

    // MARK: For the downloads

    func connect(_ contents: URL) {
        self.contents = contents
        queue.addOperation { self.connectNow() }
    }

    func keptLength(of file: CatalogItem.File, in folder: ContentFolder) -> Int {
        if folder.isLoaded(file) || folder.length(of: folder.part(of: file)) == file.length { return file.length }
        return ResumeFile(of: file, in: folder, from: address(file.url))?.received ?? 0
    }

    func load(_ file: CatalogItem.File, in folder: ContentFolder, _ meter: DownloadMeter) async throws(DownloadError) {
        guard let name = DownloadName(file, in: folder) else {
            throw .storage("\(folder.content.path) has a name that the system can't keep.")
        }
        let wait = BackgroundWait(name, file, folder, meter, counted: keptLength(of: file, in: folder))
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.addOperation { self.begin(wait, continuation) }
            }
        } onCancel: {
            queue.addOperation { self.cancel(wait) }
        }
        try result.get()
    }

    func cancelAll(in folder: ContentFolder, except files: [CatalogItem.File]) {
        let (folder, kept) = (folder.content.lastPathComponent, Set(files.map(\.contentName)))
        queue.addOperation {
            let cancelAll = {
                for transfer in self.transfers.values
                where transfer.name.folder == folder && !kept.contains(transfer.name.content) {
                    self.fail(transfer, .cancelled)
                }
            }
            if self.areTasksKnown { cancelAll() } else { self.cancellations.append(cancelAll) }
        }
    }

    /// Returns once the session has passed on all events for which the system has launched or resumed the app, or when the
    /// caller's task is cancelled. Without a folder, no event can come.
    func events() async {
        guard contents != nil else { return }
        let (stream, listener) = AsyncStream.makeStream(of: Never.self)
        queue.addOperation {
            // A session that has become invalid passes on nothing.
            self.connectNow()
            if self.isQuiet { listener.finish() } else { self.listeners.append(listener) }
            self.isQuiet = false
        }
        for await _ in stream {}
    }

    // MARK: On the queue

    private func connectNow() {
        guard !isConnected else { return }
        (isConnected, isQuiet) = (true, false)
        session.connect(on: queue) { [weak self] event in self?.receive(event) }
    }

    /// Runs the calls that have waited until the tasks of earlier processes are known.
    func didFindTasks() {
        let (cancellations, waits) = (cancellations, waits)
        (areTasksKnown, endedEarly, self.cancellations, self.waits) = (true, [], [], [])
        for cancel in cancellations { cancel() }
        for wait in waits { join(wait) }
    }

    /// Forgets a session that can't be used anymore. The next load connects to a new one.
    func disconnect(_ error: DownloadError) {
        for wait in waits + transfers.values.compactMap(\.wait) { wait.finish(.failure(error)) }
        (isConnected, areTasksKnown, transfers, waits, cancellations) = (false, false, [:], [], [])
    }

    func tellListeners() {
        isQuiet = listeners.isEmpty
        for listener in listeners { listener.finish() }
        listeners = []
    }

    /// The folder of a file; `nil` if it isn't there, as after a refund. It is never made again.
    func folder(of transfer: BackgroundTransfer) -> ContentFolder? {
        let content = contents?.appendingPathComponent(transfer.name.folder, isDirectory: true)
        let folder = transfer.wait?.folder ?? content.map(ContentFolder.init)
        return folder.flatMap { $0.isMade ? $0 : nil }
    }

    private func begin(_ wait: BackgroundWait, _ continuation: BackgroundWait.Continuation) {
        wait.continuation = continuation
        guard !wait.isCancelled else { return wait.finish(.failure(.cancelled)) }
        if contents == nil { contents = wait.folder.content.deletingLastPathComponent() }
        connectNow()
        if areTasksKnown { join(wait) } else { waits.append(wait) }
    }

    /// Waits for the task of a file, and starts one if there is none.
    func join(_ wait: BackgroundWait) {
        guard wait.isWaiting else { return }
        let transfer = transfers[wait.name]
        if wait.folder.length(of: wait.folder.part(wait.name.content)) == wait.name.length {
            if let transfer { fail(transfer, .cancelled) }
            return wait.finish(.success(()))
        }
        guard let transfer else { return start(wait) }
        transfer.wait?.finish(.failure(.cancelled))
        transfer.wait = wait
        wait.count(transfer.received)
    }

    func start(_ wait: BackgroundWait) {
        var request = URLRequest(url: address(wait.file.url))
        // The length is that of the file itself.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        let resumption = ResumeFile(of: wait.file, in: wait.folder, from: address(wait.file.url))
        ResumeFile.remove(wait.name, in: wait.folder)
        let (name, length) = (wait.name.description, wait.file.length)
        let transfer = BackgroundTransfer(
            session.start(request, resuming: resumption?.data, name, length: length),
            wait.name
        )
        (transfer.isResumed, transfer.wait) = (resumption != nil, wait)
        transfers[wait.name] = transfer
    }

    private func cancel(_ wait: BackgroundWait) {
        wait.isCancelled = true
        if let transfer = transfers[wait.name], transfer.wait === wait { return fail(transfer, .cancelled) }
        wait.finish(.failure(.cancelled))
    }

    /// Cancels a task, and ends the wait for it.
    func fail(_ transfer: BackgroundTransfer, _ error: DownloadError) {
        refuse(transfer, error)
        session.cancel(transfer.number)
    }

    /// Ends the wait for a task, which remains until the session reports its end.
    func refuse(_ transfer: BackgroundTransfer, _ error: DownloadError) {
        transfer.failure = transfer.failure ?? error
        transfer.wait?.finish(.failure(error))
        transfer.wait = nil
    }
}
