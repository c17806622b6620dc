#if canImport(UIKit)
import AccessLog
import Foundation
import ReferralBridge
import TestSupport
import Testing
import UIKit

extension PlatformTests {
    /// Before the device is unlocked for the first time, user defaults read as empty without an error.
    @MainActor
    struct ProtectedDataTests {
        private let app = UIApplication.forTests
        private let defaults: UserDefaults

        init() async throws {
            await Device.launchInFront()
            defaults = try Fixture.defaults()
        }

        @Test("the ledger throws on a locked device instead of reading as empty, or writing what is lost")
        func throwing() throws {
            let ledger = UserDefaultsLedger(defaults)
            try ledger.save(Data("x".utf8))
            app.lock()
            #expect(throws: ReferralLedgerError.protectedDataUnavailable) { try ledger.load() }
            #expect(throws: ReferralLedgerError.protectedDataUnavailable) { try ledger.save(Data()) }
            app.unlock()
            #expect(try ledger.load() == Data("x".utf8))
        }

        @Test("an app extension, which has no application, reads and writes, and counts as active")
        func appExtension() throws {
            let ledger = UserDefaultsLedger(defaults)
            app.isNotThereYet()
            defer { app.launch() }
            #expect(SystemActivity().state == .inactive)
            #expect(throws: ReferralLedgerError.protectedDataUnavailable) { try ledger.load() }
            try AppProcess.extensionState.withValue(true) {
                #expect(SystemActivity().state == .active)
                try ledger.save(Data("x".utf8))
                #expect(try ledger.load() == Data("x".utf8))
            }
            #expect(!AppProcess.isExtension)
        }

        @Test("a check on a locked device is put off, and reports nothing that an earlier launch did")
        func putOff() async throws {
            Device.put(Fixture.link())
            let earlier = Fixture.bridge(UserDefaultsLedger(defaults))
            earlier.onArrival = { _ in }
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
            await Device.rest()
            app.unlock()
            await Device.becomeActive()
            #expect(await outcome.isFound)
            #expect(reports.referrers == ["spring"])
        }

        @Test("what was read when the device was locked is kept, and reported once without another read")
        func lockedMeanwhile() async {
            let bridge = Fixture.bridge(UserDefaultsLedger(defaults))
            let reports = Reports(of: bridge)
            let latch = Latch()
            Device.put(Fixture.link())
            Device.log.during("items") { latch.wait() }
            async let outcome = bridge.checkForReferralLinks()
            await until("it reads") { Device.log.count("items") == 1 }
            app.lock()
            latch.open()
            #expect(await outcome == .waitingForUnlock)
            #expect(reports.referrers.isEmpty)
            // A shop of another test may still listen.
            await OperationQueue.runOnMain { self.app.unlock() }
            await Device.visitAnotherApp()
            await until("the tap is reported") { reports.referrers == ["spring"] }
            await Device.visitAnotherApp()
            await until("it looks again") { reports.outcomes.last == .unchanged }
            #expect(reports.referrers == ["spring"])
            #expect(Device.log.count("items") == 1)
        }
    }
}
#endif
