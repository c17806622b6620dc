import CoreImage
import Foundation
import SwiftUI
import Testing
import Unlocks
import UnlocksTesting

extension PlatformTests {
    /// The pictures of the shop that aren't in the app.
    @MainActor
    struct ShopPictureTests {
        private static let icon = "https://127.0.0.1:1/icon.png"
        private static let boards = "https://127.0.0.1:1/boards.png"

        private static func catalog(_ revision: Int, icon: String = icon) throws -> ShopCatalog {
            let items = """
                {"id":"full","product":"full","kind":"nonConsumable","grants":["pro"],
                 "icon":"\(icon)","pictures":["\(boards)"],"text":{"en":{"title":"Full version"}}}
                """
            return try ShopCatalog(json: Data(#"{"format":1,"revision":\#(revision),"items":[\#(items)]}"#.utf8))
        }

        private static func stage() async throws -> ShopStage {
            let stage = try ShopStage()
            await stage.start()
            await stage.unlocks.use(try catalog(2))
            return stage
        }

        /// A PNG file of some size, as far as the stand-in reads it.
        private nonisolated static func picture(_ width: Int, _ height: Int) -> Data {
            let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            let size = [width, height].flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
            return Data(signature + [0, 0, 0, 13] + Array("IHDR".utf8) + size + [8, 6, 0, 0, 0])
        }

        /// What a view comes to once it has loaded what it can.
        private static func loaded(_ view: some View, after earlier: Rendering? = nil) async -> Rendering {
            let rendering = Rendering(view, after: earlier)
            for task in rendering.tasks { await task() }
            return Rendering(view, after: rendering)
        }

        @Test("a picture is reduced to what a screen can show, an icon to its few points")
        func sizes() async throws {
            let stage = try await Self.stage()
            try stage.keep(Self.picture(4_000, 2_000), at: Self.boards)
            try stage.keep(Self.picture(1_024, 1_024), at: Self.icon)
            let view = ShopView(stage.unlocks)
            #expect(Rendering(view).images.isEmpty, "nothing is read on the main actor")
            let list = await Self.loaded(view)
            #expect(list.images.map(\.image.size) == [[132, 132]])
            #expect(list.images.allSatisfy { $0.label == nil })
            try #require(list.buttons.first { $0.label == "Details of Full version" }).press()
            let page = await Self.loaded(view, after: list)
            #expect(page.images.map(\.image.size) == [[132, 132], [132, 132], [1_600, 800]])
        }

        @Test("a small picture keeps its size")
        func small() async throws {
            let stage = try await Self.stage()
            try stage.keep(Self.picture(32, 16), at: Self.icon)
            let list = await Self.loaded(ShopView(stage.unlocks))
            #expect(list.images.map(\.image.size) == [[32, 16]])
        }

        /// Files that aren't shown: no picture, a picture without its data, and some with too many pixels.
        private nonisolated static let hostile: [Data] = [
            Data("<svg>".utf8), Data(), picture(64, 64).prefix(24), picture(0, 64), picture(64, 0),
            picture(20_000, 5_001), picture(0xFFFF_FFFF, 0xFFFF_FFFF), picture(1, 0x7FFF_FFFF),
        ]

        @Test("a picture that is broken, isn't there or has too many pixels changes nothing else", arguments: hostile)
        func broken(_ file: Data) async throws {
            let stage = try await Self.stage()
            let upgrade = UpgradeView(stage.unlocks, item: "full")
            let before = Rendering(upgrade)
            try stage.keep(file, at: Self.icon)
            let after = await Self.loaded(upgrade, after: before)
            #expect(after.images.isEmpty)
            #expect(after.texts == before.texts)
        }

        @Test("100 million pixels are shown")
        func largest() async throws {
            let stage = try await Self.stage()
            try stage.keep(Self.picture(20_000, 5_000), at: Self.icon)
            #expect(await Self.loaded(ShopView(stage.unlocks)).images.map(\.image.size) == [[132, 33]])
        }

        @Test("with another icon in a new catalog, the old one isn't shown any more")
        func other() async throws {
            let stage = try await Self.stage()
            try stage.keep(Self.picture(64, 64), at: Self.icon)
            let view = ShopView(stage.unlocks)
            let old = await Self.loaded(view)
            #expect(old.images.count == 1)
            let new = Self.icon + "?2"
            await stage.unlocks.use(try Self.catalog(3, icon: new))
            #expect(Rendering(view, after: old).images.isEmpty)
            try stage.keep(Self.picture(32, 32), at: new)
            #expect(await Self.loaded(view, after: old).images.map(\.image.size) == [[32, 32]])
        }
    }
}
