#if canImport(UIKit)
import SwiftUI
import TestSupport
import Testing
@testable import Unlocks

extension PlatformTests {
    /// Two weeks and some days with Trestle.
    @MainActor
    struct WeekTests {
        @Test("from ten free boards over the trial, a reinstallation and a purchase to a refund")
        func week() async throws {
            let stage = try WeekStage()
            defer { stage.tearDown() }

            try await stage.open(day: 1)
            try await make(8, stage)

            try await stage.open(day: 3)
            try await make(2, stage)
            try stage.press("Add a board", in: stage.screen)
            await until("the limit is shown") { Rendering(stage.screen?.boards).buttons.count > 2 }
            try stage.press("Details of \(stage.title("gold-boards"))", in: stage.shop)
            try stage.press("Close", in: stage.shop)
            try stage.press(stage.price("taster"), in: stage.shop)
            await stage.thanked()
            await until("it is open") { stage.isOpen("boards") }
            try stage.press("There is room for more boards now.", in: stage.screen)
            try await make(1, stage)

            // The store's clock counts: the phone thinks that the trial hasn't begun.
            stage.reinstall(daysAhead: -20)
            try await stage.open(day: 5)
            try await make(11, stage)
            try await stage.open(day: 17, seconds: -1)
            #expect(stage.isOpen("boards"))

            try await stage.open(day: 17)
            try await make(10, stage)
            try stage.press("Add a board", in: stage.screen)
            await until("the limit is shown") { Rendering(stage.screen?.boards).buttons.count > 2 }

            // The line breaks, then nothing comes until the app is closed, and then it breaks again.
            try await stage.putGold([12: [.broken], 28: [.stalled, .broken]])
            try stage.press(stage.price("gold-boards"), in: stage.shop)
            await until("the line is broken") { stage.isLineBroken }
            await until("it is bought") { stage.isThanked }
            try stage.dismissAlert(of: stage.shop)
            #expect(!stage.isOpen("gold"))
            let share = try stage.share(ofFiles: 27)
            await stage.wait(seconds: 60, until: "27 boards and a half are here") {
                Rendering(stage.shop).bars.first == share
            }
            try await stage.open(day: 17, seconds: 3_600)
            try stage.press("Add a board", in: stage.screen)
            await until("the limit is shown") { Rendering(stage.screen?.boards).buttons.count > 2 }
            await stage.wait(seconds: 60, until: "they are here") { stage.isOpen("gold") }
            #expect(try stage.goldBoards() == 40)
            let requests = try await stage.requests()
            #expect(requests == (1...40).map { [12: 2, 28: 3][$0] ?? 1 }, "what is here isn't asked for again")
            try stage.press("There is room for more boards now.", in: stage.screen)

            try await stage.open(day: 18)
            try stage.press("Details of \(stage.title("gold-boards"))", in: stage.shop)
            try stage.press("Request a Refund", in: stage.shop)
            #expect(Rendering(stage.shop).systemSheets == ["refund of 2"])
            stage.refund()
            await until("it is refunded") { !stage.isOpen("gold") && !stage.content.contains { $0.contains("-2") } }
            try await stage.open(day: 19)
            #expect(!stage.isOpen("boards"))
        }

        /// The person makes boards.
        private func make(_ count: Int, _ stage: WeekStage) async throws {
            for _ in 1...count {
                let before = stage.count
                try stage.press("Add a board", in: stage.screen)
                await until("it is there") { stage.count == before + 1 }
            }
        }
    }
}
#endif
