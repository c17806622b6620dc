// An app that shows ReferralBridge's outcomes and their reasons. Its boards may come from TrestleLite, with
// DataHandoff. Ten boards are free, and there is a shop, with Unlocks. Users invite friends, with Invitations.
//
// Open Examples/Trestle.swiftpm in Xcode and run it. On an iPhone, choose your team first, and a bundle identifier of
// your own. The app looks for a link to the app ID below, copied by a page like this:
//
//     <a href="https://apps.apple.com/app/id1300230302" data-referrer="alice" data-referral-pack="gold">Get Trestle</a>

import ReferralBridge
import SwiftUI
import Unlocks

@main
struct TrestleApp: App {
    /// The app's number in the App Store.
    static let appID: AppID = 1_300_230_302

    /// The page to which invitations lead.
    static let invitationPage = LandingPage("https://example.com/get", parameterItems: ["open"])

    /// The pages of the website that name the referrer in their address.
    static let landingPages = [
        invitationPage,
        LandingPage("https://example.com/boards/*", opensPath: true),
    ]

    /// The app group of the app and its App Clip.
    static let group = "group.com.example.trestle"

    /// The shop. It listens to the App Store from launch, before there is a window.
    private let shop = TrestleShop.open(in: .applicationSupportDirectory)

    private let invitations: TrestleInvitations

    /// Who arrives, and what they do. It never leaves the device unless the user shares it.
    private let counts = ArrivalCounts(appID: appID, in: .applicationSupportDirectory)

    init() { invitations = TrestleInvitations(in: .applicationSupportDirectory, shop: shop) }

    var body: some Scene {
        WindowGroup { TrestleScreen(shop: shop, invitations: invitations, counts: counts) }
    }
}
