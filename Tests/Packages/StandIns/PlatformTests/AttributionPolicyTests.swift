import Foundation
import ReferralBridge
import StoreKit
import TestSupport
import Testing

extension PlatformTests {
    /// Only a first download after the tap counts, by what the App Store signed.
    @MainActor
    struct AttributionPolicyTests {
        private let time = Fixture.clock()
        private let bridge: AppStoreBridge
        private let reports: Reports

        /// The tap of the link is a second old.
        private let tap = Timestamp(milliseconds: Fixture.now.milliseconds - 1_000).date

        init() async {
            await Device.launchInFront()
            Device.put(Fixture.link())
            bridge = Fixture.bridge(clock: time.clock)
            bridge.attributionPolicy = .appStoreFirstDownload
            reports = Reports(of: bridge)
        }

        @Test("a person who got the app after the tap came by it")
        func after() async {
            let date = tap.addingTimeInterval(60)
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: date)) }
            #expect(await bridge.checkForReferralLinks().isFound)
            #expect(reports.referrers == ["spring"])
        }

        @Test("a person who had the app before the tap did not")
        func before() async {
            let date = tap.addingTimeInterval(-86_400)
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: date)) }
            #expect(await bridge.checkForReferralLinks() == .installedBeforeTap)
            #expect(reports.referrers.isEmpty)
        }

        @Test(
            "a store that doesn't answer is asked again at the next activation, and the pasteboard isn't read again",
            arguments: [true, false]
        )
        func unavailable(_ isSigned: Bool) async {
            let date = tap.addingTimeInterval(60)
            AppTransaction.answer = {
                if isSigned { throw CocoaError(.userCancelled) }
                return .unverified(AppTransaction(originalPurchaseDate: date), .invalidSignature)
            }
            #expect(await bridge.checkForReferralLinks().isStoreUnavailable)
            #expect(reports.referrers.isEmpty)
            let reads = Device.reads
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: date)) }
            await Device.visitAnotherApp()
            await until("the tap is found") { reports.referrers == ["spring"] }
            #expect(Device.reads == reads)
        }

        @Test("and by itself, without an activation")
        func retry() async {
            let date = tap.addingTimeInterval(60)
            AppTransaction.answer = { throw CocoaError(.userCancelled) }
            #expect(await bridge.checkForReferralLinks().isStoreUnavailable)
            AppTransaction.answer = { .verified(AppTransaction(originalPurchaseDate: date)) }
            await until("it waits") { time.sleeping > 0 }
            time.endSleeps()
            await until("the tap is found") { reports.referrers == ["spring"] }
        }
    }
}
