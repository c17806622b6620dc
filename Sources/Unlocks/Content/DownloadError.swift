package import ReferralFoundation

/// Why a catalog or a file of an item couldn't be loaded. It is tried again, and what is already loaded of a file is kept if
/// possible.
public enum DownloadError: DescribedError, Sendable, Hashable {
    /// The server can't be reached, it takes too long, or the connection was lost. The system gives the reason.
    case unreachable(reason: String)
    /// The server answered with this status.
    case status(Int)
    /// The server that guards an item's files doesn't give them out, for this reason. ``UnlockCenter/refusal(of:)`` has it too.
    case refused(Refusal)
    /// The answer can't be used, so the server or the catalog has to be mended: a file has another length or digest than the catalog
    /// states, an answer is too large, or a redirect leads to an address that isn't safe. The reason is a sentence.
    /// `referral-tool catalog --files` compares lengths and digests.
    case unusable(reason: String)
    /// The task was cancelled.
    case cancelled
    /// The disk is full. The files that are still missing have so many bytes.
    case noSpace(needed: Int)
    /// A file can't be written, for this reason.
    case storage(String)

    /// Why a server that guards an item's files doesn't give them out, as it writes it.
    public enum Refusal: String, Sendable, Decodable {
        /// Apple hasn't signed the purchase, or it was made in another app, in another environment, such as TestFlight, or of another
        /// product.
        case proof, app, environment, product
        /// What was bought has ended, or was refunded. After a refund, the library removes what it has loaded.
        case expired, refunded
        /// The files were loaded too often.
        case limit
    }

    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .unreachable(let reason): "The server can't be reached: \(reason: reason)"
        case .status(let status): "The server answered with status \(status)."
        case .refused(let refusal): "The server doesn't give out the files, for the reason \(name: refusal.rawValue)."
        case .unusable(let reason): "\(reason: reason)"
        case .cancelled: "The task was cancelled."
        case .noSpace(let needed): "The disk is full, and the files that are still missing have \(needed) bytes."
        case .storage(let reason): "A file can't be written: \(reason: reason)"
        }
    }
}

extension DownloadError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) {
        self = problem.isNoSpace ? .noSpace(needed: 0) : .storage("\(url.lastPathComponent): \(problem)")
    }
}

extension DownloadError {
    static let unsafeRedirect = unusable(reason: "A redirect is less safe than the address before it.")
    static let noAddress = unusable(reason: "The server's answer has no safe address of the file.")
    static let expiredAddress = unusable(reason: "The file's address has expired.")
    static let wrongLength = unusable(reason: "The file has another length than the catalog states.")
    static let wrongRange = unusable(reason: "The server sent another part of the file than was requested.")
    static let wrongDigest = unusable(reason: "The file has another digest than the catalog states.")

    static func tooLarge(_ limit: Int) -> Self { .unusable(reason: "The answer has more than \(limit) bytes.") }

    /// Whether other files can't be expected to fare better: the line, the server or the disk is at fault, not the file.
    var concernsAllFiles: Bool {
        switch self {
        case .unreachable, .refused, .cancelled, .noSpace, .storage: true
        case .status(let status): status == 429 || status >= 500
        case .unusable: self == .expiredAddress
        }
    }
}
