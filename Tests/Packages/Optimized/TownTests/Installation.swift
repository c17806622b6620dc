import ReferralBridge
import ReferralInvitations
import Unlocks

/// The app on a phone, from an installation to its deletion: what is on the disk, and what the app has still to do.
@MainActor
final class Installation {
    let file = InvitesFile()
    let ledger = InMemoryLedger()
    let shop = MemoryStorage.Disk()
    let dues: Dues

    /// The arrivals that the app was told, and hasn't passed on to both libraries yet.
    var arrivals: [Arrival] = []
    /// The events that the person has reached, and that neither library, or only one, knows of.
    var events: [String] = []
    var hasOnboarded = false
    /// What the person could have been welcomed for: the moments of the taps.
    var (dueWelcomes, welcomes) = ([Double](), [Double]())
    /// The tap that waits for the end of onboarding.
    var heldTap: Double?
    /// Whether a referral and the first board are known to `Unlocks`.
    var (hasClaimed, hasBoard) = (false, false)

    init(purchase: Double?, violate: @escaping (String) -> Void) { dues = Dues(purchase: purchase, violate: violate) }
}
