/// The task of a file, and who waits for it.
final class BackgroundTransfer {
    let number: Int
    let name: DownloadName
    /// Whether it began with data of the system's.
    var isResumed = false
    /// The number of bytes that have come.
    var received = 0
    /// Whether the file is in its place.
    var isPlaced = false
    /// Why it was cancelled. It remains until the session reports its end.
    var failure: DownloadError?
    var wait: BackgroundWait?

    init(_ number: Int, _ name: DownloadName) {
        self.number = number
        self.name = name
    }
}

/// Somebody who waits for a file. Everything happens on the transport's queue.
final class BackgroundWait: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Result<Void, DownloadError>, Never>

    let name: DownloadName
    let file: CatalogItem.File
    let folder: ContentFolder
    var continuation: Continuation?
    var isCancelled = false
    /// Whether a second task was started, since the system has cancelled the first one or refused its data.
    var isSecondAttempt = false
    private let meter: DownloadMeter
    /// The number of bytes that the meter has counted.
    private var counted: Int

    init(
        _ name: DownloadName,
        _ file: CatalogItem.File,
        _ folder: ContentFolder,
        _ meter: DownloadMeter,
        counted: Int
    ) {
        self.name = name
        self.file = file
        self.folder = folder
        self.meter = meter
        self.counted = counted
    }

    var isWaiting: Bool { continuation != nil }

    /// Reports how many bytes have come.
    func count(_ received: Int) {
        let received = min(max(0, received), file.length)
        meter.add(received - counted)
        counted = received
    }

    /// Ends the wait. Only the first call counts.
    func finish(_ result: Result<Void, DownloadError>) {
        if case .success = result, isWaiting { count(file.length) }
        continuation?.resume(returning: result)
        continuation = nil
    }
}
