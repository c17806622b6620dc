public import ReferralFoundation

/// Why a file of an item couldn't be loaded. It is tried again after a pause, and what is already loaded is kept if possible.
public enum DownloadError: Error, Sendable, Hashable {
    // MARK: The way

    /// The server can't be reached, or the connection was lost. The system gives the reason.
    case unreachable(reason: String)
    /// A redirect leads from https to http, or to an address that isn't on the web.
    case unsafeRedirect
    /// There are more than five redirects.
    case tooManyRedirects
    /// The server answered with this status. If it is busy (429 or 503), `retryAfter` is the pause in seconds for which it
    /// asks, at most an hour.
    case status(Int, retryAfter: Double?)
    /// Nothing has come from the server for 30 seconds.
    case timedOut
    /// The task was cancelled.
    case cancelled

    // MARK: The file

    /// The answer is compressed. The server must send the file as it is.
    case encoded
    /// The file has another length than the catalog states. Compare both with `referral-tool catalog --files`.
    case wrongLength
    /// The server sent another part of the file than was requested, or a part of a changed file. The next attempt loads
    /// the whole file.
    case wrongRange
    /// The file has another digest than the catalog states. Compare both with `referral-tool catalog --files`.
    case wrongDigest

    // MARK: The disk

    /// The disk is full. The files that are still missing have so many bytes.
    case noSpace(needed: Int)
    /// A file can't be written, for this reason.
    case storage(String)
}

extension DownloadError: CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .unreachable(let reason): "The server can't be reached: \(reason: reason)"
        case .unsafeRedirect: "A redirect is less safe than the address before it."
        case .tooManyRedirects: "There are too many redirects."
        case .status(let status, nil): "The server answered with status \(status)."
        case .status(let status, let pause?):
            "The server answered with status \(status), and asks for \(Int(pause)) seconds."
        case .timedOut: "The server takes too long."
        case .cancelled: "The task was cancelled."
        case .encoded: "The answer is compressed."
        case .wrongLength: "The file has another length than the catalog states."
        case .wrongRange: "The server sent another part of the file than was requested."
        case .wrongDigest: "The file has another digest than the catalog states."
        case .noSpace(let needed): "The disk is full, and the files that are still missing have \(needed) bytes."
        case .storage(let reason): "A file can't be written: \(reason: reason)"
        }
    }
}

extension DownloadError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension DownloadError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) {
        self = problem.isNoSpace ? .noSpace(needed: 0) : .storage("\(url.path): \(problem)")
    }
}

extension DownloadError {
    /// Whether other files can't be expected to fare better: the line, the server or the disk is at fault, not the file.
    var concernsAllFiles: Bool {
        switch self {
        case .unreachable, .timedOut, .cancelled, .noSpace, .storage: true
        case .status(let status, _): status == 429 || status >= 500
        default: false
        }
    }

    /// The seconds for which a busy server asks.
    var retryAfter: Double? {
        if case .status(_, let pause) = self { pause } else { nil }
    }
}
