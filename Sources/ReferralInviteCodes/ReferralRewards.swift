/// Grants rewards for referrals and invitations, as the `UnlockCenter` of Unlocks does.
///
/// An `InviteCenter` that has one tells it what it learns, so an app with both libraries makes each call once.
public protocol ReferralRewards: AnyObject, Sendable {
    /// Claims the rewards of a referral that isn't the user's own.
    func claimRewards(of arrival: Arrival) async throws

    /// Records that the user has reached an event for which rewards may wait.
    func recordRewardEvent(_ event: String) async throws

    /// Counts the people who came by the user's invitation. Each entry counts once.
    func countInvitations(_ entries: [InvitationEntry]) async throws
}
