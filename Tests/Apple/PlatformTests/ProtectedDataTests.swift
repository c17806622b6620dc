#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import Testing
import UIKit
import Unlocks

extension PlatformTests {
    /// Before the device is unlocked for the first time, user defaults read as empty without an error.
    @MainActor
    struct ProtectedDataTests {
        private let app = UIApplication.shared
        private let defaults: UserDefaults

        init() async throws {
            await Device.launchInFront()
            defaults = try Fixture.defaults()
        }

        @Test("the ledger throws on a locked device instead of reading as empty, or writing what is lost")
        func throwing() throws {
            let ledger = UserDefaultsLedger(defaults)
            try ledger.save(LedgerRecord(isFirstLaunchOver: true))
            app.lock()
            #expect(throws: ReferralLedgerError.protectedDataUnavailable) { try ledger.load() }
            #expect(throws: ReferralLedgerError.protectedDataUnavailable) { try ledger.save(LedgerRecord()) }
            app.unlock()
            #expect(try ledger.load().isFirstLaunchOver)
        }

        @Test("a check on a locked device is put off, and reports nothing that an earlier launch did")
        func putOff() async throws {
            Device.put(Fixture.link())
            let earlier = Fixture.bridge(UserDefaultsLedger(defaults))
            earlier.onReferral = { _ in }
            #expect(await earlier.checkForReferralLinks().isFound)

            app.lock()
            Device.log.take()
            let bridge = Fixture.bridge(UserDefaultsLedger(defaults))
            let reports = Reports(of: bridge)
            #expect(await bridge.checkForReferralLinks() == .waitingForUnlock)
            #expect(Device.log.accesses.isEmpty, "nothing is looked at")
            app.unlock()
            await Device.visitAnotherApp()
            await until("it looks") { reports.outcomes.count == 2 }
            #expect(reports.outcomes == [.waitingForUnlock, .unchanged])
            #expect(reports.referrers.isEmpty)
        }

        @Test("a launch before the first unlock, as by prewarming, uses nothing up")
        func prewarmed() async {
            app.launch(inBackground: true, isUnlocked: false)
            let bridge = Fixture.bridge(UserDefaultsLedger(defaults))
            bridge.attributionPolicy = .firstLaunch
            let reports = Reports(of: bridge)
            Device.put(Fixture.link())
            async let outcome = bridge.checkForReferralLinks()
            for _ in 0..<10 { await Task.yield() }
            app.unlock()
            await Device.becomeActive()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
        }

        /// A shop whose folder a test can break.
        private func makeUnlocks(_ folder: URL) throws -> Unlocks {
            let item = #"{"id":"gold-pack","product":"gold","kind":"lasting","grants":["gold"]}"#
            let json = #"{"format":1,"revision":1,"items":[\#(item)]}"#
            let context = ShopContext(appVersion: "1.0", platform: .iOS, languages: ["en"])
            let catalogue = try Catalogue(json: Data(json.utf8))
            return try Unlocks(store: ScriptedStore(), catalogue: catalogue, folder: folder, context: context)
        }

        @Test(
            "a shop whose folder can't be opened on a locked device opens by itself once it is unlocked or in front",
            arguments: [true, false]
        )
        func shop(isTold: Bool) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            // A file where the folder belongs fails as a locked device does.
            try Data().write(to: folder)
            #expect(throws: UnlocksError.self, "the device isn't locked") { try makeUnlocks(folder) }
            app.launch(inBackground: true, isUnlocked: false)
            #expect(throws: UnlocksError.folderIsShared, "which no unlock changes") {
                try makeUnlocks(folder.appending(path: "Shared/AppGroup/shop"))
            }
            let unlocks = try makeUnlocks(folder)
            unlocks.start()
            #expect(unlocks.state(of: "gold") == .unknown(.deviceLocked))
            try FileManager.default.removeItem(at: folder)
            if isTold {
                await OperationQueue.runOnMain { self.app.unlock() }
            } else {
                await app.becomeActive()
            }
            await until("it is open") { unlocks.state(of: "gold") == .unknown(.storeNotAsked) }
        }

        @Test("what was read when the device was locked is kept, and reported once without another read")
        func lockedMeanwhile() async {
            let bridge = Fixture.bridge(UserDefaultsLedger(defaults))
            let reports = Reports(of: bridge)
            let latch = Latch()
            Device.put(Fixture.link())
            Device.log.during("urls") { latch.wait() }
            async let outcome = bridge.checkForReferralLinks()
            await until("it reads") { Device.log.count("urls") == 1 }
            app.lock()
            latch.open()
            #expect(await outcome == .waitingForUnlock)
            #expect(reports.referrers.isEmpty)
            app.unlock()
            await Device.visitAnotherApp()
            await until("the tap is reported") { reports.referrers == ["spring"] }
            await Device.visitAnotherApp()
            await until("it looks again") { reports.outcomes.last == .unchanged }
            #expect(reports.referrers == ["spring"])
            #expect(Device.log.count("urls") == 1)
        }
    }
}
#endif
