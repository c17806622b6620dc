// An app that shows what ReferralBridge does, and why. Its boards may come from TrestleLite, with DataHandoff. It sells gold
// boards and hints, with Unlocks.
//
// Open Examples/Trestle.swiftpm in Xcode and run it. On an iPhone, choose your team first, and a bundle identifier of
// your own. The link that the app looks for is one to the app id below, copied by a page like this:
//
//     <a href="https://apps.apple.com/app/id1300230302" data-referrer="alice" data-referral-pack="gold">Get Trestle</a>

import ReferralBridge
import SwiftUI
import Unlocks

@main
struct TrestleApp: App {
    /// The app's number in the App Store.
    static let appID: AppID = 1_300_230_302

    /// What the person has. It listens to the App Store from the launch on, before there is a window.
    private let shop = TrestleShop.open(in: .applicationSupportDirectory)

    var body: some Scene {
        WindowGroup { TrestleScreen(shop: shop) }
    }
}
