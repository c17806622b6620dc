public import ReferralFoundation

/// An error of an ``InviteCenter``.
public enum InvitesError: Error, Sendable, Hashable {
    /// The folder is used by another `InviteCenter`, in this app or in an extension of it. Create one, and keep it.
    case folderInUse
    /// The folder is in an app group's container. The app locks a file there while it runs, and iOS ends a suspended app
    /// that holds such a lock. Choose a folder in the app's own container, such as *Application Support*.
    case folderIsShared
    /// The file was written by a newer version of the app. It remains unchanged.
    case newerFormat
    /// The disk is full, or the file can't be read or written, for this reason. Nothing was changed. Try again later.
    case storage(String)
    /// The guestbook can't be read.
    case guestbook(GuestbookError)
}

extension InvitesError: LocalizedError, CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .folderInUse: "The folder is in use by another InviteCenter."
        case .folderIsShared: "The folder is in an app group's container. Choose one in the app's own container."
        case .newerFormat: "The invitations were written by a newer version of the app."
        case .storage(let reason): "The invitations can't be read or saved: \(reason: reason)"
        case .guestbook(let error): "\(reason: error.description)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension InvitesError: FileFailure {
    package init(_ problem: FileProblem, at url: URL) { self = .storage("\(url.path): \(problem)") }
}
