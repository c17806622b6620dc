/// Is told of the referrals that a bridge finds, each once, on the main actor.
@MainActor
public protocol AppStoreBridgeDelegate: AnyObject {
    /// Somebody was referred to the app.
    ///
    /// - Parameters:
    ///   - bridge: The bridge that found the link.
    ///   - referrer: Who sent them. Anyone can write a link, so take it as a claim and not as a proof.
    func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String)

    /// The same, with the moment of the tap and the parameters.
    ///
    /// Called right after ``appStoreBridge(_:didTriggerCampaignLinkReferrer:)``; does nothing unless it is implemented.
    func appStoreBridge(_ bridge: AppStoreBridge, didReceive referral: Referral)

    /// The ledger could not be read or written, so that the next launch may report the same tap again. Told once until it
    /// works again.
    ///
    /// The bridge itself reports none twice as long as it lives. Does nothing unless it is implemented.
    func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error)
}

extension AppStoreBridgeDelegate {
    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, didReceive referral: Referral) {}

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error) {}
}
