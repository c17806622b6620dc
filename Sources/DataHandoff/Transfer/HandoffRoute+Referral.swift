extension HandoffRoute {
    /// The parameter that asks for the handoff.
    private static let parameterName = "handoff"

    /// The referral for a link to the receiver's page in the App Store. It names the sending app as the referrer, and asks for the
    /// handoff.
    ///
    /// Copy such a link before you show the page. Anyone can write one, so it only makes the receiver ask the user.
    ///
    /// - Parameter timestamp: The moment of the tap.
    /// - Returns: The referral.
    /// - Throws: `ReferralError` if the sender's identifier or the time can't be written.
    public func referral(timestamp: Timestamp = .now) throws(ReferralError) -> Referral {
        try Referral(referrer: sender, timestamp: timestamp, parameters: [Self.parameterName: "1"])
    }

    /// Whether the sending app has led the user to the receiver with such a link.
    func isRequested(by arrival: Arrival) -> Bool {
        // Compared by bytes: Swift considers some different characters equal.
        arrival.referrer.utf8.elementsEqual(sender.utf8) && arrival.parameters[Self.parameterName] != nil
    }
}
