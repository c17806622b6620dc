/// Receives each referral that a bridge finds, once, on the main actor.
///
/// Implement one of the first two methods. A delegate that implements neither, such as one that spells its method differently,
/// isn't told of any referral: the outcome is ``AppStoreBridge/Outcome/unreported(_:)``, and the referral isn't used up.
@MainActor
public protocol AppStoreBridgeDelegate: AnyObject {
    /// Somebody was referred to the app.
    ///
    /// The default implementation calls ``appStoreBridge(_:didTriggerCampaignLinkReferrer:)``.
    ///
    /// - Parameters:
    ///   - bridge: The bridge that found the link.
    ///   - arrival: The referrer, the time of the tap, the link's parameters, and how it came. Anyone can write a link,
    ///     so this is a claim and not a proof, unless the arrival is signed.
    func appStoreBridge(_ bridge: AppStoreBridge, didReceive arrival: Arrival)

    /// Somebody was referred to the app, for a delegate that needs only the name.
    ///
    /// The default implementation does nothing, and the referral counts as unreported.
    func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String)

    /// A check of the pasteboard ended, whether the app or an activation started it, and however late.
    ///
    /// The default implementation does nothing.
    func appStoreBridge(_ bridge: AppStoreBridge, didFinishCheckWith outcome: AppStoreBridge.Outcome)

    /// The ledger couldn't be read or written, so the next launch may report the same tap again. Called once, and again
    /// only if the ledger has worked in between.
    ///
    /// The default implementation does nothing.
    func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error)
}

extension AppStoreBridgeDelegate {
    /// Calls ``appStoreBridge(_:didTriggerCampaignLinkReferrer:)``.
    public func appStoreBridge(_ bridge: AppStoreBridge, didReceive arrival: Arrival) {
        appStoreBridge(bridge, didTriggerCampaignLinkReferrer: arrival.referrer)
    }

    /// Does nothing, and the referral counts as unreported.
    public func appStoreBridge(_ bridge: AppStoreBridge, didTriggerCampaignLinkReferrer referrer: String) {
        bridge.isIgnoredByDelegate = true
    }

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, didFinishCheckWith outcome: AppStoreBridge.Outcome) {}

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error) {}
}
