extension CatalogLoader {
    /// Why a catalog or a loader couldn't be loaded. The last valid catalog remains in use.
    public enum LoadError: Error, Sendable, Equatable {
        // MARK: The app

        /// The copy in the app isn't a valid catalog. Check it with `referral-tool catalog` before each release.
        case bundledCatalog(CatalogError)

        /// A public key was passed, but the system can't check signatures. Pass a `SignatureVerifier`.
        case noVerifier

        // MARK: The way

        /// The source can't be reached, or the connection was lost. The system gives the reason. Try again later.
        case unreachable(reason: String)

        /// The answer took longer than the time limit. Try again later.
        case timedOut

        /// The task was cancelled.
        case cancelled

        /// The server answered with a status that isn't 200.
        case status(Int)

        /// A redirect leads from https to http, or to an address that isn't on the web.
        case unsafeRedirect

        /// There are more than five redirects.
        case tooManyRedirects

        /// The answer is larger than 1 MiB.
        case tooLarge

        // MARK: The catalog

        /// The answer isn't a valid catalog.
        case catalog(CatalogError)

        /// The catalog's revision is lower than the current one, or than one that the source has sent before.
        case olderRevision(Int, inHand: Int)

        /// The catalog's revision is higher than the current one by more than 2⁴¹, which is probably a mistake: accepted once, it
        /// would have to be exceeded from then on. A count by ones, the time in milliseconds or a date such as 20261126 is
        /// accepted.
        case leapingRevision(Int, inHand: Int)

        /// The catalog has the same revision as the current one, but different content, so it can't be determined which
        /// is newer. Raise the revision with each change.
        case sameRevision(Int)

        /// The catalog has no signature file: the server answered with this status.
        case noSignature(status: Int)

        /// The signature is missing from the file, isn't 64 bytes in base64, or doesn't match the catalog and the key.
        case wrongSignature

        // MARK: The file

        /// The file on disk can't be read now, as on a locked device. The system gives the reason. The copy in the app is used
        /// until the file is read again, at the next ``CatalogLoader/load()`` or ``CatalogLoader/refresh()``.
        case unreadableFile(reason: String)

        /// The file on disk is damaged, for this reason. The copy in the app is used.
        case brokenFile(reason: String)

        /// The file couldn't be written. The system gives the reason. The new catalog is used until the app ends.
        case notSaved(reason: String)
    }
}

extension CatalogLoader.LoadError: CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .bundledCatalog(let error): "The copy in the app can't be used. \(reason: error.description)"
        case .noVerifier: "There is a public key, but nothing that checks signatures."
        case .unreachable(let reason): "The catalog can't be reached: \(reason: reason)"
        case .timedOut: "The catalog took longer than the time limit."
        case .cancelled: "The task was cancelled."
        case .status(let status): "The server answered with status \(status)."
        case .unsafeRedirect: "A redirect is less safe than the address before it."
        case .tooManyRedirects: "There are too many redirects."
        case .tooLarge: "The answer has more than \(ShopCatalog.maximumLength) bytes."
        case .catalog(let error): "The new catalog is refused. \(reason: error.description)"
        case .olderRevision(let revision, let inHand):
            "The catalog has revision \(revision), which is lower than \(inHand), the one in hand."
        case .leapingRevision(let revision, let inHand):
            "The catalog has revision \(revision), which is more than 2⁴¹ higher than \(inHand), the one in hand."
        case .sameRevision(let revision):
            "The catalog has revision \(revision), like the one in hand, and says something else. Raise its revision."
        case .noSignature(let status): "There is no signature: the server answered with status \(status)."
        case .wrongSignature: "The catalog's signature is wrong."
        case .unreadableFile(let reason): "The catalog's file can't be read: \(reason: reason)"
        case .brokenFile(let reason): "The catalog's file is damaged: \(reason: reason)"
        case .notSaved(let reason): "The catalog's file can't be written: \(reason: reason)"
        }
    }
}
