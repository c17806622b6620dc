/// An error of a ``Guestbook``. The entry is tried again later.
public enum GuestbookError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The user isn't signed in to iCloud, or to the app's own server.
    case notSignedIn
    /// The guestbook can't be reached.
    case offline
    /// The guestbook accepts no more requests for this number of seconds.
    case retryAfter(Double)
    /// The guestbook doesn't accept entries of this kind, for this reason. Its rights, its indexes or its record type may
    /// not be deployed yet.
    case notAllowed(String)
    /// Another error, described for a log.
    case failed(String)

    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .notSignedIn: "The user isn't signed in to iCloud, or to the app's server."
        case .offline: "The guestbook can't be reached."
        case .retryAfter(let seconds): "The guestbook accepts no requests for \(seconds) seconds."
        case .notAllowed(let reason): "The guestbook doesn't allow this: \(reason: reason)"
        case .failed(let reason): "The guestbook failed: \(reason: reason)"
        }
    }
}
