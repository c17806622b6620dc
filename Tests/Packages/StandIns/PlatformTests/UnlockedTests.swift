import Foundation
import SwiftUI
import TestSupport
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    @MainActor
    struct UnlockedTests {
        private func shown(_ view: some View) -> [String] { Rendering(view).texts }

        private var gate: some View {
            Unlocked("gold") {
                Text("boards")
            } otherwise: {
                Text("pay")
            }
        }

        private var cautious: some View {
            Unlocked("gold") {
                Text("boards")
            } otherwise: {
                Text("pay")
            } unknown: {
                Text("wait")
            }
        }

        @Test("what isn't known isn't locked: nobody is asked to pay again for what they may have")
        func unknown() async throws {
            let stage = try ShopStage()
            #expect(shown(gate.unlocks(stage.unlocks)) == ["boards"])
            #expect(shown(cautious.unlocks(stage.unlocks)) == ["wait"])
        }

        @Test("the content is for those who have it, from the moment that they have it, until it is refunded")
        func locked() async throws {
            let stage = try ShopStage()
            await stage.start()
            #expect(shown(gate.unlocks(stage.unlocks)) == ["pay"])
            #expect(shown(cautious.unlocks(stage.unlocks)) == ["pay"])
            let rendering = Rendering(gate.unlocks(stage.unlocks))
            _ = try await stage.unlocks.buy("gold")
            await until("it is delivered") { shown(gate.unlocks(stage.unlocks)) == ["boards"] }
            #expect(rendering.isOutdated)
            #expect(shown(cautious.unlocks(stage.unlocks)) == ["boards"])
            stage.store.refund("1")
            await until("it is refunded") { stage.unlocks.state(of: "gold").isLocked }
            #expect(shown(gate.unlocks(stage.unlocks)) == ["pay"])
        }

        private nonisolated static let club =
            #"{"id":"club","product":"club","kind":"subscription","grants":["gold"]}"#
        private nonisolated static let gold =
            #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]}"#

        private nonisolated static let both =
            #"{"id":"both","product":"both","kind":"nonConsumable","grants":["gold","silver"]}"#

        /// A shop that also sells gold together with something else.
        private func stageWithBoth(_ items: String = both + "," + gold) async throws -> (ShopStage, HeldStore) {
            let (stage, held) = try ShopStage.held(items: items)
            stage.store.products.append(.init(id: "both", price: "9,99 €"))
            await stage.start()
            return (stage, held)
        }

        @Test("what the person is buying, or has paid for, is shown instead of another item that is for sale")
        func onItsWay() async throws {
            let (stage, held) = try await stageWithBoth()
            let view = Unlocked("gold") { Text("boards") }.unlocks(stage.unlocks)
            let buttons = ["Restore Purchases", "Redeem Code"]
            #expect(shown(view) == ["To continue, you need: both", "both", "9,99 €"] + buttons)
            var delivery: CheckedContinuation<Void, Never>?
            stage.deliver = { _ in await withCheckedContinuation { delivery = $0 } }
            held.isHeld = true
            _ = Task { try await stage.unlocks.buy("gold") }
            await until("it is being bought") { stage.unlocks.activity == .purchasing("gold") }
            #expect(shown(view) == ["To continue, you need: gold", "gold", "Purchasing…"] + buttons)
            held.isHeld = false
            await until("it is paid, and being delivered") { delivery != nil }
            #expect(shown(view) == ["gold", "Paid, being delivered", "Request a Refund"] + buttons)
            #expect(shown(gate.unlocks(stage.unlocks)) == ["Paid, being delivered"])
            #expect(shown(cautious.unlocks(stage.unlocks)) == ["wait"])
            delivery?.resume()
            await until("it is delivered") { shown(view) == ["boards"] }
        }

        @Test(
            "if nothing is offered, the view says so, and purchases can be restored",
            arguments: [gold.replacing(#""kind""#, with: #""enabled":false,"kind""#), club]
        )
        func nothingOffered(_ items: String) async throws {
            let hints = #"{"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}"#
            let stage = try ShopStage(items: items + "," + hints)
            await stage.start()
            await until("it is locked") { stage.unlocks.state(of: "gold").isLocked }
            let view = Unlocked("gold") { Text("boards") }.unlocks(stage.unlocks)
            #expect(shown(view) == ["This is not for sale now.", "Restore Purchases", "Redeem Code"])
        }
    }
}
