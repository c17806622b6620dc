public import ReferralFoundation

// An error's `localizedDescription` is its description, a sentence in English.

extension CatalogLoader.LoadError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension StoreError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension UnlocksError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
