extension AppStoreBridge {
    /// What came of looking for a referral.
    public enum Outcome: Sendable, Hashable {
        /// A referral was found, and reported if there was anybody to be told.
        case found(Referral)

        /// The silent probe said that there is no link. Nothing was read, and nobody was asked.
        case nothingToRead

        /// The pasteboard is the one that was read before. It was not read again, and nobody was asked twice.
        case alreadyRead

        /// The read gave nothing: the person declined, the pasteboard was empty by then, or it failed.
        case notAllowedOrEmpty

        /// The read took longer than the time limit, as it may with another device's clipboard. A later check reads
        /// again.
        case timedOut

        /// There were strings, and none of them counts; the result says why.
        case nothingForUs(ScanResult)

        /// The install policy allows no referral at this launch.
        case notThisLaunch
    }
}

extension AppStoreBridge.Outcome: CustomStringConvertible {
    /// A sentence fit for a log: nothing of what was on the pasteboard is in it, not even the referrer.
    public var description: String {
        switch self {
        case .found: "A referral was found."
        case .nothingToRead: "There is no link on the pasteboard; it was not read."
        case .alreadyRead: "The pasteboard has not changed since it was read; it was not read again."
        case .notAllowedOrEmpty: "The pasteboard gave nothing: reading was not allowed, or it is empty."
        case .timedOut: "The pasteboard did not answer in time; the next check reads it again."
        case .notThisLaunch: "The install policy allows no referral at this launch."
        case .nothingForUs(let result):
            "No referral for this app: " + result.judgements.prefix(5).map(\.description).joined(separator: " ")
                + (result.judgements.count > 5 ? " And \(result.judgements.count - 5) more." : "")
        }
    }
}
