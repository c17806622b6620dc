import CloudKit
import Foundation
import ReferralBridge
import ReferralInvitations
import StoreKit
import Unlocks

/// The invitations of Trestle. A friend who comes by one gets a bonus board, and three friends open the silver boards for the user
/// who invited them. A friend counts once they have finished a board.
@MainActor
final class TrestleInvitations {
    /// The catalog has the reward for the user who invites.
    nonisolated static let program = InviteProgram("invite-2026", event: "first-board")

    /// The app's iCloud container, such as `iCloud.com.example.trestle`; `nil` until the app has these entitlements:
    ///
    ///     com.apple.developer.icloud-services                CloudKit
    ///     com.apple.developer.icloud-container-identifiers   iCloud.com.example.trestle
    ///     com.apple.developer.ubiquity-kvstore-identifier    TEAM.com.example.trestle
    ///
    /// CloudKit ends an app that asks for a container without them. Until then, the guestbook is in memory, and nobody comes.
    private static let container: String? = nil

    let center: InviteCenter
    private let shop: UnlockCenter?
    /// The user's invitation, and the code of a friend, which the user types.
    private(set) lazy var model = InviteModel(
        center,
        landingPage: TrestleApp.invitationPage,
        program: Self.program.name
    ) { [weak self] arrival in self?.onArrival?(arrival) }
    /// Called when the user has typed a friend's code.
    var onArrival: (@MainActor (Arrival) -> Void)?

    /// The invitations of the app.
    convenience init(in folder: URL, shop: UnlockCenter?) {
        let guestbook: any Guestbook =
            if let container = Self.container {
                CloudKitGuestbook(container: CKContainer(identifier: container))
            } else {
                InMemoryGuestbook()
            }
        self.init(guestbook, in: folder, shop: shop, sharedCodes: Self.container.map { _ in UbiquitousCodes() })
    }

    /// Invitations with another guestbook, with other programs or at another time, for tests.
    init(
        _ guestbook: any Guestbook,
        in folder: URL,
        shop: UnlockCenter?,
        programs: [InviteProgram] = [program],
        sharedCodes: (any SharedCodes)? = nil,
        clock: DeviceClock = .system
    ) {
        center = InviteCenter(
            guestbook: guestbook,
            programs: programs,
            folder: folder.appending(path: "Invitations"),
            sharedCodes: sharedCodes,
            purchaseDate: { await Self.purchaseDate },
            clock: clock
        )
        self.shop = shop
    }

    /// Signs what wasn't signed yet, and grants the rewards for the friends who come, until the task is canceled. What fails is
    /// passed again with the next entry.
    func follow(_ report: @MainActor (String) -> Void) async {
        do { try await center.start() } catch { report("\(error)") }
        for await entries in await center.entryUpdates() {
            do { try await shop?.count(entries) } catch { report("\(error)") }
        }
    }

    /// Accepts a referral. The user's own invitation earns nothing.
    func accept(_ arrival: Arrival) async throws {
        try await center.record(arrival)
        if await !center.isOwn(arrival.referrer) { try await shop?.claim(arrival) }
    }

    /// The user has finished a board, so both are rewarded.
    func finishBoard() async throws {
        try await center.recordEvent(Self.program.event)
        try await shop?.recordEvent(EventName(Self.program.event))
    }

    /// When the user first got the app. Outside of production, Apple reports 2013-08-01 for everybody.
    private static var purchaseDate: Date? {
        get async {
            guard case .verified(let app)? = try? await AppTransaction.shared, app.environment == .production
            else { return nil }
            return app.originalPurchaseDate
        }
    }
}
