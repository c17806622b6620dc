package import ReferralFoundation

/// An error of an ``InviteCenter``.
public enum InvitesError: Error, Sendable, Hashable {
    /// The file can't be read or written, for this reason, such as a full disk. Nothing was changed. Try again later.
    ///
    /// The folder is also refused if another `InviteCenter` uses it, in this app or in an extension of it, and if it is in an app
    /// group's container: iOS ends a suspended app that holds a lock there.
    case storage(String)
    /// The guestbook can't be read.
    case guestbook(GuestbookError)
}

extension InvitesError: DescribedError {
    /// A sentence suitable for a log.
    public var description: String {
        switch self {
        case .storage(let reason): ("The invitations can't be read or saved: \(reason: reason)" as Sentence).text
        case .guestbook(let error): error.description
        }
    }
}

extension InvitesError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) { self = .storage("\(url.path): \(problem)") }
}
