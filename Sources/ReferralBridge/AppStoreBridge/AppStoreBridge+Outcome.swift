extension AppStoreBridge {
    /// What came of a check.
    public enum Outcome: Sendable, Hashable {
        /// A referral was found.
        case found(Referral)

        /// The silent probe said that there is no link. Nothing was read, and nobody was asked.
        case nothingToRead

        /// The read gave nothing: the person declined, or the pasteboard was empty by then.
        case notAllowedOrEmpty

        /// There were strings, and none of them counts; the result says why.
        case nothingForUs(ScanResult)
    }
}
