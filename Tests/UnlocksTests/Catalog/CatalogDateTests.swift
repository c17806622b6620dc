import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlocksTesting

@testable import Unlocks

/// A clock that was ahead is corrected by the date of a catalog's answer, for people who have bought nothing since.
@MainActor
struct CatalogDateTests {
    private nonisolated static let catalog = Data(
        #"""
        {"format":1,"revision":1,"items":[
         {"id":"day","product":"day","kind":"nonRenewing","days":1,"grants":["lounge"]}]}
        """#.utf8
    )

    /// A server without a newer catalog, whose answer comes last.
    private final class DatedSource: CatalogSource, @unchecked Sendable {
        private var date: Date

        init(_ date: Date) { self.date = date }

        func catalog() async throws(DownloadError) -> (body: Data, date: Date?) {
            await JobQueue.settle()
            date += 1
            return (CatalogDateTests.catalog, date)
        }

        func signature() async throws(DownloadError) -> Data { Data() }
    }

    @Test("the date of a catalog's answer corrects a clock that was ahead")
    func correction() throws {
        try JobQueue.runToEnd {
            let folder = TemporaryFolder("dates")
            let now = Date(timeIntervalSince1970: 1_795_219_200)
            let clock = TestClock(Timestamp(now), endsSleeps: false)
            let loader = try CatalogLoader(
                bundledCatalog: Self.catalog,
                file: folder.url.appending(path: "catalog"),
                source: DatedSource(now + 60)
            )
            let store = ScriptedStore(
                products: [ScriptedStore.Product(id: "day", price: "0,99 €", kind: .nonRenewing)],
                app: "com.example.trestle"
            )
            store.clock = DeviceClock(now: { Timestamp(now) })
            let unlocks = UnlockCenter(
                store: store,
                catalog: loader.current,
                loader: loader,
                folder: folder.url.appending(path: "unlocks"),
                context: ShopContext(appVersion: "3.0", platform: .iOS, languages: ["en"]),
                clock: clock.clock
            )
            unlocks.start()
            await unlocks.refresh()
            #expect(try await unlocks.buy("day") == .bought)
            await JobQueue.settle()
            #expect(unlocks.state(of: "lounge").isUnlocked)
            clock.now = Timestamp(now + 5 * 86_400)
            await unlocks.refresh()
            #expect(unlocks.state(of: "lounge").isLocked)
            clock.now = Timestamp(now)
            #expect(unlocks.state(of: "lounge").isLocked)
            await unlocks.refresh()
            #expect(unlocks.state(of: "lounge").isUnlocked)
        }
    }
}
