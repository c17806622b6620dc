#if canImport(UIKit)
import Foundation
import ReferralBridge
import Testing
import UIKit

@testable import DataHandoff
@testable import TrestleLite

extension PlatformTests {
    /// The free app, up to its limit and beyond.
    @MainActor
    struct TrestleLiteTests {
        private func withBoards(_ body: (LiteBoards, _ folder: URL) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "lite-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try await body(LiteBoards(in: folder, storage: folder.appending(path: "storage")), folder)
        }

        @Test("there is room for ten boards, which are still there at the next launch; the next one leads to Trestle")
        func limit() async throws {
            try await withBoards { boards, folder in
                for count in 4...10 {
                    boards.add()
                    #expect(boards.list.names.count == count)
                }
                #expect(boards.paidApp == nil)
                boards.add()
                #expect(boards.list.names.count == 10)
                #expect(boards.paidApp?.page.appID == 1_300_230_302)
                #expect(BoardList(in: folder).names == boards.list.names)
                boards.paidApp?.close()
                #expect(boards.paidApp == nil)
            }
        }

        @Test(
            "at the limit, the boards and the order are in the shared folder, and Trestle offers them without an arrival"
        )
        func leavesBoards() async throws {
            let group = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
            FileManager.groups["group.com.example.trestle"] = group
            UserDefaults.standard.set(true, forKey: LiteBoards.sortsByName)
            defer {
                FileManager.groups = [:]
                UserDefaults.standard.removeObject(forKey: LiteBoards.sortsByName)
                try? FileManager.default.removeItem(at: group)
            }
            try await withBoards { boards, folder in
                for _ in 4...11 { boards.add() }
                let store = Settings()
                let apps = try Apps(accepting: HandoffDefaults([LiteBoards.sortsByName], store: store)) { route, _ in
                    route.group = group
                }
                var found: HandoffSuggestion?
                for _ in 1...1_000 where found == nil {
                    found = try await apps.receiver.suggestion()
                    try await Task.sleep(nanoseconds: 1_000_000)
                }
                guard case .offer(let offer) = try await #require(found).accept() else { throw HandoffError.notALink }
                try await offer.install(into: apps.documents).finish()
                let file = apps.documents.appending(path: "boards.json")
                #expect(try JSONDecoder().decode([String].self, from: Data(contentsOf: file)) == boards.list.names)
                #expect(store.values == [LiteBoards.sortsByName: .boolean(true)])
            }
        }
    }
}
#endif
