extension CatalogLoader {
    /// Why a catalog or a loader couldn't be loaded. The last valid catalog remains in use.
    public enum LoadError: Error, Sendable, Equatable {
        /// The copy in the app isn't a valid catalog. Check it with `referral-tool catalog` before each release.
        case bundledCatalog(CatalogError)

        /// A public key was passed, but the system can't check signatures. Pass a `SignatureVerifier`.
        case noVerifier

        /// The source didn't send the catalog or its signature.
        case download(DownloadError)

        /// The answer isn't a valid catalog.
        case catalog(CatalogError)

        /// The signature is missing from the file, isn't 64 bytes in base64, or doesn't match the catalog and the key.
        case wrongSignature

        /// The catalog's revision can't follow the current one. It is lower; it is the same, and the content isn't; or it is higher
        /// by more than 2⁴¹, which is probably a mistake, and would have to be exceeded from then on. A count by ones, the time in
        /// milliseconds or a date such as 20261126 is accepted. Raise the revision with each change.
        case revision(Int, inHand: Int)

        /// The file on disk can't be read or written, for this reason. Without it, the copy in the app is used, and a new catalog is
        /// used until the app ends. Reading is tried again at the next ``CatalogLoader/load()``, and both at the next
        /// ``CatalogLoader/refresh()``.
        case file(reason: String)
    }
}

extension CatalogLoader.LoadError: CustomStringConvertible {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .bundledCatalog(let error): "The copy in the app can't be used. \(reason: error.description)"
        case .noVerifier: "There is a public key, but nothing that checks signatures."
        case .download(let error): "The catalog or its signature can't be loaded. \(reason: error.description)"
        case .catalog(let error): "The new catalog is refused. \(reason: error.description)"
        case .wrongSignature: "The catalog's signature is wrong."
        case .revision(let revision, let inHand) where revision < inHand:
            "The catalog has revision \(revision), which is lower than \(inHand), the one in hand."
        case .revision(let revision, let inHand) where revision == inHand:
            "The catalog has revision \(revision), like the one in hand, and says something else. Raise its revision."
        case .revision(let revision, let inHand):
            "The catalog has revision \(revision), which is more than 2⁴¹ higher than \(inHand), the one in hand."
        case .file(let reason): "The catalog's file can't be read or written: \(reason: reason)"
        }
    }
}
