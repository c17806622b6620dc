/// Receives the referrals that a bridge finds, each once, on the main actor.
///
/// Implement one of the first two methods.
@MainActor
public protocol AppStoreBridgeDelegate: AnyObject {
    /// Somebody was referred to the app.
    ///
    /// The default implementation calls ``appStoreBridge(_:didTriggerCampaignLinkReferrer:)``.
    ///
    /// - Parameters:
    ///   - bridge: The bridge that found the link.
    ///   - referral: Who sent them, when they tapped, and the link's parameters. Anyone can write a link, so take it as
    ///     a claim and not as a proof, unless the bridge's scanner has signers.
    func appStoreBridge(_ bridge: AppStoreBridge, didReceive referral: Referral)

    /// Somebody was referred to the app, for a delegate that needs only the name.
    ///
    /// The default implementation does nothing.
    func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String)

    /// A check of the pasteboard ended, whether the app or an activation began it, and however late.
    ///
    /// The default implementation does nothing.
    func appStoreBridge(_ bridge: AppStoreBridge, didFinishCheckWith outcome: AppStoreBridge.Outcome)

    /// The ledger couldn't be read or written, so that the next launch may report the same tap again. Called once, and
    /// again only after the ledger has worked in between.
    ///
    /// The default implementation does nothing.
    func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error)
}

extension AppStoreBridgeDelegate {
    /// Calls ``appStoreBridge(_:didTriggerCampaignLinkReferrer:)``.
    public func appStoreBridge(_ bridge: AppStoreBridge, didReceive referral: Referral) {
        appStoreBridge(bridge, didTriggerCampaignLinkReferrer: referral.referrer)
    }

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String) {}

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, didFinishCheckWith outcome: AppStoreBridge.Outcome) {}

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error) {}
}
