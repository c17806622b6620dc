/// Receives each referral that a bridge finds, once, on the main actor.
@MainActor
public protocol AppStoreBridgeDelegate: AnyObject {
    /// Somebody was referred to the app.
    ///
    /// - Parameters:
    ///   - bridge: The bridge that found the link.
    ///   - arrival: The referrer, the time of the tap, the link's parameters, and how it came. Anyone can write a link,
    ///     so this is a claim and not a proof, unless the arrival is signed.
    func appStoreBridge(_ bridge: AppStoreBridge, didReceive arrival: Arrival)

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
    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, didFinishCheckWith outcome: AppStoreBridge.Outcome) {}

    /// Does nothing.
    public func appStoreBridge(_ bridge: AppStoreBridge, ledgerDidFail error: any Error) {}
}
