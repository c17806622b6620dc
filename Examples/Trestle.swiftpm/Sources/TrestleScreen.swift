import ReferralBridge
import ReferralInvitations
import SwiftUI
import Unlocks

/// The only screen: the referrer, the actions, and a log of the outcomes.
struct TrestleScreen: View {
    let shop: UnlockCenter?
    let invitations: TrestleInvitations
    let counts: ArrivalCounts
    @State var bridge = Self.makeBridge()
    /// Whether the user has seen the welcome. A board that a link promises opens after that.
    @AppStorage("hasOnboarded") private var hasOnboarded = false
    @State private var policy = Policy.everyone
    @State private var arrival: Arrival?
    /// The arrival that waits until the user has seen the welcome.
    @State private var held: Arrival?
    @State private var log = OutcomeLog()
    @StateObject private var boards = Boards()

    var body: some View {
        List {
            if hasOnboarded {
                ArrivalSection(arrival: arrival)
            } else {
                WelcomeSection(arrival: held ?? arrival) { begin() }
            }
            PasteSection(bridge: bridge, code: invitations.model) { outcome in
                log.add(outcome, from: "Paste")
                held = bridge.heldArrival
            }
            Section("Clipboard") {
                PolicyPicker(policy: $policy)
                    .onChange(of: policy) { policy in bridge.attributionPolicy = policy.attributionPolicy }
                Button("Check now") {
                    Task { log.add(await bridge.checkForReferralLinks(), from: "Check now") }
                }
                .accessibilityIdentifier("check-now")
                CopyButton()
                Button("Forget") { forget() }
                    .accessibilityIdentifier("forget")
            }
            BoardsSection(boards: boards)
            if let shop {
                FriendsSection(unlocks: shop, invitations: invitations)
                NewBoardSection(unlocks: shop, boards: boards) { text in log.add(text, from: "Shop") }
                ShopSection(unlocks: shop, invitations: invitations, counts: counts) { text in
                    log.add(text, from: "Shop")
                }
            } else {
                Text("There is no shop, since the app has no catalog.")
            }
            LogSection(log: log, counts: counts)
        }
        .modifier(GuestbookUpdates(invitations: invitations) { text in log.add(text, from: "Guestbook") })
        .task {
            listen(to: bridge)
            log.add(await bridge.checkForReferralLinks(), from: "Launch")
        }
        .onOpenLink { url in
            // A link can open the app before the task above begins.
            listen(to: bridge)
            log.add(bridge.handle(url), from: "Link")
            held = bridge.heldArrival
            Task { await boards.open(url) }
        }
    }

    /// Called before the first check, since a referral isn't reported without a listener.
    private func listen(to bridge: AppStoreBridge) {
        counts.observe(bridge)
        bridge.attributionPolicy = policy.attributionPolicy
        if !hasOnboarded { bridge.holdsArrivals = true }
        bridge.onArrival = { arrival in accept(arrival) }
        invitations.onArrival = { arrival in
            counts.record(arrival)
            accept(arrival)
        }
        // The only report of checks at an activation, and of checks whose caller no longer waits.
        bridge.onOutcome = { outcome in
            log.add(outcome, from: "Check")
            held = bridge.heldArrival
        }
    }

    private func accept(_ arrival: Arrival) {
        self.arrival = arrival
        Task { await boards.look(after: arrival) }
        // The reward waits until a board is finished.
        Task { do { try await invitations.accept(arrival) } catch { log.add("\(error)", from: "Reward") } }
    }

    /// Ends the welcome. What was held is reported now.
    private func begin() {
        hasOnboarded = true
        bridge.releaseArrivals()
        held = nil
    }

    private static func makeBridge() -> AppStoreBridge {
        let bridge = AppStoreBridge(appID: TrestleApp.appID, landingPages: TrestleApp.landingPages)
        // Without the app group, there is no App Clip to hear from.
        bridge.clipHandover = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: TrestleApp.group)
            .map { ClipHandover(group: $0) }
        return bridge
    }

    /// Resets the app. The bridge is replaced too, since it keeps its own record.
    private func forget() {
        hasOnboarded = false
        let bridge = Self.makeBridge()
        listen(to: bridge)
        self.bridge = bridge
        (arrival, held) = (nil, nil)
        log = OutcomeLog()
        counts.reset()
        UserDefaults.standard.removeObject(forKey: "ReferralBridge")
    }
}
