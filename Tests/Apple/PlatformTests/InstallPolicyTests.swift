import Foundation
import ReferralBridge
import StoreKit
import Testing

extension PlatformTests {
    @MainActor
    struct InstallPolicyTests {
        private func outcome(_ answer: @escaping () throws -> VerificationResult<AppTransaction>) async -> Bool {
            AppTransaction.answer = answer
            let bridge = AppStoreBridge(
                scanner: ReferralScanner(appID: 1_300_230_302),
                pasteboard: ListPasteboard([Fixture.link()]),
                ledger: MemoryLedger(),
                now: { Fixture.now }
            )
            bridge.onReferral = { _ in }
            bridge.installPolicy = .freshInstallOnly
            return await bridge.checkForReferralLinks() != .notThisLaunch
        }

        @Test("only a first download after the tap, signed by the App Store, counts as a fresh install")
        func fresh() async {
            let tap = Timestamp(milliseconds: Fixture.now.milliseconds - 1_000).date
            let (after, before) = (tap.addingTimeInterval(60), tap.addingTimeInterval(-86_400))
            #expect(await outcome { .verified(AppTransaction(originalPurchaseDate: after)) })
            #expect(await !outcome { .verified(AppTransaction(originalPurchaseDate: before)) })
            #expect(await !outcome { .unverified(AppTransaction(originalPurchaseDate: after), .invalidSignature) })
            #expect(await !outcome { throw CancellationError() })
        }
    }
}
