#if canImport(UIKit)
import SwiftUI
import Testing
import Unlocks

extension PlatformTests {
    /// Two weeks and some days with Trestle, and a picture of everything that the person sees.
    ///
    /// The pictures are in the folder `Week`. To update them, and to make pages for a browser:
    ///
    ///     export UPDATE_PICTURES=1 PICTURE_PAGES=FOLDER
    ///     swift test --package-path Tests/Packages/StandIns --filter WeekTests
    @MainActor
    struct WeekTests {
        @Test(
            "from ten free boards over the trial, a reinstallation and a purchase to a refund",
            arguments: ["en", "de"]
        )
        func week(_ language: String) async throws {
            let stage = try WeekStage(language: language)
            defer { stage.tearDown() }

            try await stage.open(day: 1)
            try stage.see("01-first-day", stage.screen)
            try await make(8, stage)
            try stage.see("02-two-left", stage.screen)

            try await stage.open(day: 3)
            try await make(2, stage)
            try stage.see("03-none-left", stage.screen)
            try stage.press("Add a board", in: stage.screen)
            await until("the limit is shown") { Rendering(stage.screen?.boards).buttons.count > 2 }
            try stage.see("04-limit", stage.screen)
            try stage.see("05-shop", stage.shop)
            try stage.press("Details of \(stage.title("gold-boards"))", in: stage.shop)
            try stage.see("06-gold-page", stage.shop)
            try stage.press("Close", in: stage.shop)
            try stage.press(stage.price("taster"), in: stage.shop)
            await stage.thanked()
            try stage.see("07-trial-thanks", stage.shop)
            try stage.see("08-limit-in-trial", stage.screen)
            try stage.press("There is room for more boards now.", in: stage.screen)
            try stage.see("09-trial", stage.screen)
            try await make(1, stage)

            // The store's clock counts: the phone thinks that the trial hasn't begun.
            stage.reinstall(daysAhead: -20)
            try await stage.open(day: 5)
            try stage.see("10-reinstalled", stage.screen)
            try stage.see("11-shop-reinstalled", stage.shop)
            try await make(11, stage)
            try await stage.open(day: 17, seconds: -1)
            #expect(stage.isOpen("boards"))
            try stage.see("12-last-second", stage.shop)

            try await stage.open(day: 17)
            try stage.see("13-trial-over", stage.shop)
            try await make(10, stage)
            try stage.press("Add a board", in: stage.screen)
            await until("the limit is shown") { Rendering(stage.screen?.boards).buttons.count > 2 }
            try stage.see("14-limit-after-trial", stage.screen)
            try stage.press(stage.price("gold-boards"), in: stage.shop)
            await stage.thanked()
            try stage.see("15-gold-thanks", stage.shop)
            #expect(stage.isOpen("gold"))
            try stage.see("16-limit-with-gold", stage.screen)
            try stage.press("There is room for more boards now.", in: stage.screen)
            try stage.see("17-gold", stage.screen)

            try await stage.open(day: 18)
            try stage.press("Details of \(stage.title("gold-boards"))", in: stage.shop)
            try stage.see("18-gold-page", stage.shop)
            try stage.press("Request a Refund", in: stage.shop)
            #expect(Rendering(stage.shop).systemSheets == ["refund of 2"])
            try stage.see("19-refund", stage.shop)
            stage.refund()
            await until("it is refunded") { !stage.isOpen("gold") }
            try await stage.open(day: 19)
            try stage.see("20-refunded", stage.screen)
            try stage.see("21-shop-refunded", stage.shop)
            #expect(!stage.isOpen("boards"))
            try stage.expectAllPictures()
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
