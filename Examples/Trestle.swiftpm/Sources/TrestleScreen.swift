import ReferralBridge
import SwiftUI
import Unlocks

/// The only screen: the referrer, the actions, and a log of the outcomes.
struct TrestleScreen: View {
    let shop: UnlockCenter?
    @State private var bridge = AppStoreBridge(appID: TrestleApp.appID)
    @State private var policy = Policy.everyone
    @State private var arrival: Arrival?
    @State private var log = OutcomeLog()
    @StateObject private var boards = Boards()

    var body: some View {
        List {
            WelcomeSection(arrival: arrival)
            PasteSection(bridge: bridge) { outcome in log.add(outcome, from: "Paste") }
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
                ShopSection(unlocks: shop) { text in log.add(text, from: "Shop") }
            } else {
                Text("There is no shop, since the app has no catalog.")
            }
            LogSection(log: log)
        }
        .modifier(BoardsHandoff(boards: boards))
        .task {
            listen(to: bridge)
            log.add(await bridge.checkForReferralLinks(), from: "Launch")
        }
        .onOpenURL { url in
            // A link can open the app before the task above begins.
            listen(to: bridge)
            log.add(bridge.handle(url), from: "Link")
        }
    }

    /// Called before the first check, since a referral isn't reported without a listener.
    private func listen(to bridge: AppStoreBridge) {
        bridge.attributionPolicy = policy.attributionPolicy
        bridge.onArrival = { arrival in
            self.arrival = arrival
            // The reward waits until a board is finished.
            Task { do { try await shop?.claim(arrival) } catch { log.add("\(error)", from: "Reward") } }
        }
        // The only report of checks at an activation, and of checks whose caller no longer waits.
        bridge.onOutcome = { outcome in log.add(outcome, from: "Check") }
    }

    /// Resets the app. The bridge is replaced too, since it keeps its own record.
    private func forget() {
        let bridge = AppStoreBridge(appID: TrestleApp.appID)
        listen(to: bridge)
        self.bridge = bridge
        arrival = nil
        log = OutcomeLog()
        do { try UserDefaultsLedger().save(LedgerRecord()) } catch { log.add("\(error)", from: "Forget") }
    }
}
