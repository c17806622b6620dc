#if canImport(UIKit)
import Foundation
import ReferralBridge
import SwiftUI
import TestSupport
import Testing
import UIKit

@testable import DataHandoff
@testable import Trestle
@testable import TrestleLite

extension PlatformTests {
    /// The free app, up to its limit, and the paid app beyond it.
    @MainActor
    struct TrestleLiteTests {
        /// An arrival by the link of the free app.
        private func arrival(_ route: HandoffRoute) throws -> Arrival {
            Arrival(try Referral(referrer: route.sender, parameters: ["handoff": "1"]), road: .pasteboard)
        }

        private func withBoards(_ body: (LiteBoards, _ folder: URL) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lite-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer {
                UserDefaults.standard.removeObject(forKey: Boards.hasAnswered)
                try? FileManager.default.removeItem(at: folder)
            }
            try await body(LiteBoards(in: folder, storage: folder.appending(path: "storage")), folder)
        }

        @Test("there is room for ten boards, which are still there at the next launch; the next one leads to Trestle")
        func limit() async throws {
            try await withBoards { boards, folder in
                for count in 4...10 {
                    boards.add()
                    #expect(boards.list.names.count == count)
                }
                #expect(!boards.leadsToTrestle)
                boards.add()
                #expect(boards.list.names.count == 10)
                #expect(boards.leadsToTrestle)
                #expect(BoardList(in: folder).names == boards.list.names)
            }
        }

        @Test(
            "at the limit, the boards and their order are in the shared folder, and Trestle offers them without an arrival"
        )
        func bringAlong() async throws {
            let group = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
            FileManager.groups[TrestleApp.group] = group
            UserDefaults.standard.set(true, forKey: LiteBoards.sortsByName)
            defer {
                FileManager.groups = [:]
                UserDefaults.standard.removeObject(forKey: LiteBoards.sortsByName)
                try? FileManager.default.removeItem(at: group)
            }
            try await withBoards { lite, folder in
                for _ in 4...11 { lite.add() }
                let handoff = group.appending(path: "Handoff").path
                await until("the boards are in the shared folder") {
                    let names = (try? FileManager.default.contentsOfDirectory(atPath: handoff)) ?? []
                    return names.contains { $0.utf8.count == 36 }
                }
                // The two apps have user defaults of their own; here they are the same.
                UserDefaults.standard.set(false, forKey: Boards.sortsByName)
                let documents = folder.appending(path: "trestle")
                try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
                @MainActor func launch() -> Boards {
                    Boards(in: documents, storage: folder.appending(path: "trestle-storage"))
                }

                let boards = launch()
                await until("Trestle offers the boards") { boards.question != nil }
                #expect(boards.names.isEmpty)
                await boards.accept()
                guard case .offer = boards.question else {
                    Issue.record("\(String(describing: boards.question))")
                    return
                }
                #expect(boards.names.isEmpty, "nothing is here until the user agrees")
                await boards.accept()
                #expect(boards.question == nil)
                #expect(boards.names == lite.list.names)
                #expect(UserDefaults.standard.bool(forKey: Boards.sortsByName))

                let later = launch()
                await until("a later launch has the boards") { !later.names.isEmpty }
                await later.look(after: nil)
                #expect(later.question == nil)
            }
        }

        @Test("an export opens Trestle; if it isn't installed, that isn't an error, but leads to it")
        func export() async throws {
            await Device.launchInFront()
            let application = UIApplication.forTests
            defer { application.forgetOtherApps() }
            try await withBoards { boards, _ in
                let section = SendSection(boards: boards)
                let export = try #require(Rendering(section).buttons.first { $0.title == "Export to Trestle" })
                export.press()
                await until("the way to Trestle is shown") { boards.leadsToTrestle }
                #expect(boards.news == nil)
                await boards.showStore()
                #expect(application.openedURLs.last?.absoluteString == "https://apps.apple.com/app/id1300230302")
                let copied = try #require(try await SystemPasteboard().contents().strings.first)
                let link = try ReferralLink(copied, for: 1_300_230_302)
                #expect(link.referral.referrer == "com.example.trestle.lite")
                #expect(link.referral.parameters["handoff"] == "1")
            }
            try await withBoards { boards, _ in
                (application.installedSchemes, application.queriesSchemes) = (["trestle"], ["trestle"])
                await boards.invite()
                #expect(!boards.leadsToTrestle)
                #expect(boards.news == nil)
                application.declinesOpening = true
                await boards.invite()
                #expect(!boards.leadsToTrestle, "the user has Trestle, and doesn't want to open it now")
                #expect(boards.news == nil)
            }
        }

        @Test("Trestle asks a user who comes by the link of the free app, and not again after a no")
        func arrival() async throws {
            try await withBoards { lite, folder in
                let arrival = try arrival(lite.route)
                @MainActor func launch() -> Boards {
                    Boards(in: folder, storage: folder.appending(path: "trestle-storage"))
                }
                let boards = launch()
                await boards.look(after: nil)
                #expect(boards.question == nil)
                await boards.look(after: arrival)
                #expect(boards.question != nil)
                await boards.decline()
                await boards.look(after: arrival)
                #expect(boards.question == nil)
                let later = launch()
                await later.look(after: arrival)
                #expect(later.question == nil)
            }
        }
    }
}
#endif
