import ReferralFoundation

extension CatalogLoader {
    /// Why a catalog couldn't be loaded. The last valid catalog remains in use.
    public enum LoadError: Error, Sendable, Equatable {
        /// The copy in the app isn't a valid catalog. Check it with `referral-tool catalog` before each release.
        case bundledCatalog(CatalogError)

        /// The source didn't send the catalog or its signature.
        case download(DownloadError)

        /// The answer isn't a catalog that may follow the current one: it is invalid, its signature is missing or wrong, or
        /// its revision isn't higher although it says something else. The reason is a sentence. Mend what is on the server.
        case refused(reason: String)
    }
}

extension CatalogLoader.LoadError: DescribedError {
    /// A sentence suitable for a log.
    public var description: String { sentence.text }

    private var sentence: Sentence {
        switch self {
        case .bundledCatalog(let error): "The copy in the app can't be used. \(reason: error.description)"
        case .download(let error): "The catalog or its signature can't be loaded. \(reason: error.description)"
        case .refused(let reason): "The new catalog is refused. \(reason: reason)"
        }
    }
}
