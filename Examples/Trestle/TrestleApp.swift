// An app that welcomes whoever came by a referral link, and gives both of them a pack of puzzles.
//
// Make an app of this file with the package ReferralBridge, and put your own app id in it. The link that it answers to:
//
//     <a href="https://apps.apple.com/app/id1300230302" data-referrer="alice" data-referral-pack="gold">Get Trestle</a>

import ReferralBridge
import SwiftUI

@main
struct TrestleApp: App {
    var body: some Scene {
        WindowGroup { WelcomeView(bridge: AppStoreBridge(appID: 1_300_230_302)) }
    }
}

struct WelcomeView: View {
    /// One for the whole app: the paste button shares it.
    let bridge: AppStoreBridge

    @State private var welcome = Welcome.unknown

    var body: some View {
        VStack(spacing: 16) {
            Text("Trestle")
            switch welcome {
            case .unknown:
                Text("Number puzzles for a quiet evening.")
                InvitationView(bridge: bridge) { outcome in welcome = Welcome(outcome) }
            case .invited(let referrer, let pack):
                // Anyone can write a link, so its texts are shown as what they are, and pay for nothing by themselves.
                Text("\(referrer) sent you.")
                Text("Both of you get the pack: \(pack).")
            case .notFound(let reason):
                Text(reason)
                InvitationView(bridge: bridge) { outcome in welcome = Welcome(outcome) }
            }
        }
        .onReferral(bridge) { referral in
            welcome = .invited(referrer: referral.referrer, pack: referral.parameters["pack"] ?? "starter")
        }
    }
}

/// Asks in the app's own words, before the system does in its words.
struct InvitationView: View {
    let bridge: AppStoreBridge
    let completion: @MainActor (AppStoreBridge.Outcome) -> Void

    var body: some View {
        Text("Did a friend send you? Paste the link that their page has copied for you.")
        ReferralPasteButton(bridge, completion: completion)
    }
}

/// What the view says.
enum Welcome: Equatable {
    case unknown
    case invited(referrer: String, pack: String)
    case notFound(reason: String)

    /// What a paste came to, in words for a person; `description` has the ones for a log.
    @MainActor
    init(_ outcome: AppStoreBridge.Outcome) {
        switch outcome {
        case .found(let referral):
            self = .invited(referrer: referral.referrer, pack: referral.parameters["pack"] ?? "starter")
        case .nothingForUs(let result) where result.verdicts.contains(.expired):
            self = .notFound(reason: "That invitation is more than five minutes old. Please tap the link once more.")
        case .nothingForUs(let result) where result.verdicts.contains(.alreadyReported):
            self = .notFound(reason: "You have used that invitation already.")
        case .nothingToRead, .alreadyRead, .notAllowedOrEmpty, .timedOut, .notThisLaunch, .nothingForUs:
            self = .notFound(reason: "There is no invitation on the clipboard.")
        }
    }
}
