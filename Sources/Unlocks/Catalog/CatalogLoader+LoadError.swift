public import UnlockCatalog

extension CatalogLoader {
    /// Why there is no new catalog, or no loader. The last good catalog stays.
    public enum LoadError: Error, Sendable, Equatable {
        // MARK: The app

        /// The copy in the app is not a catalog. Check it before a release: `referral-tool catalog` does.
        case bundledCatalog(CatalogError)

        /// The public key isn't 32 bytes.
        case invalidPublicKey

        /// There is a public key, and the system has nothing that checks signatures. Pass a `SignatureVerifier`.
        case noVerifier

        // MARK: The way

        /// The source can't be reached, or the connection broke before the end, for the system's reason. Try again later.
        case unreachable(reason: String)

        /// The answer took longer than the time limit. Try again later.
        case timedOut

        /// The task was cancelled.
        case cancelled

        /// The server answered with a status that isn't 200.
        case status(Int)

        /// A redirect leads from https to http, or to no address of the web.
        case unsafeRedirect

        /// There are more than five redirects.
        case tooManyRedirects

        /// The answer has more than 1 MiB.
        case tooLarge

        // MARK: The catalog

        /// The answer is not a catalog.
        case catalog(CatalogError)

        /// The catalog has a lower revision than the one in hand, or than one that the source has sent before.
        case olderRevision(Int, inHand: Int)

        /// The catalog has the revision of the one in hand, and says something else. Nothing tells which of them is newer:
        /// raise the revision with each change.
        case sameRevision(Int)

        /// There is no signature beside the catalog: the server answered with this status.
        case noSignature(status: Int)

        /// The signature is missing in the file, isn't 64 bytes in base64, or wasn't made with the key for these bytes.
        case wrongSignature

        // MARK: The file

        /// The file on disk can't be read, for the system's reason. The copy in the app counts.
        case brokenFile(reason: String)

        /// The file couldn't be written, for the system's reason. The new catalog counts until the app ends.
        case notSaved(reason: String)
    }
}

extension CatalogLoader.LoadError: CustomStringConvertible {
    /// A sentence fit for a log.
    public var description: String {
        switch self {
        case .bundledCatalog(let error): "The copy in the app can't be used. \(error)"
        case .invalidPublicKey: "The public key is not 32 bytes."
        case .noVerifier: "There is a public key, but nothing that checks signatures."
        case .unreachable(let reason): "The catalog can't be reached: \(reason)"
        case .timedOut: "The catalog took longer than the time limit."
        case .cancelled: "The task was cancelled."
        case .status(let status): "The server answered with status \(status)."
        case .unsafeRedirect: "A redirect is less safe than the address before it."
        case .tooManyRedirects: "There are too many redirects."
        case .tooLarge: "The answer has more than \(Catalog.maximumLength) bytes."
        case .catalog(let error): "The new catalog is refused. \(error)"
        case .olderRevision(let revision, let inHand):
            "The catalog has revision \(revision), which is lower than \(inHand), the one in hand."
        case .sameRevision(let revision):
            "The catalog has revision \(revision), like the one in hand, and says something else. Raise its revision."
        case .noSignature(let status): "There is no signature: the server answered with status \(status)."
        case .wrongSignature: "The catalog's signature is wrong."
        case .brokenFile(let reason): "The catalog's file can't be read: \(reason)"
        case .notSaved(let reason): "The catalog's file can't be written: \(reason)"
        }
    }
}
