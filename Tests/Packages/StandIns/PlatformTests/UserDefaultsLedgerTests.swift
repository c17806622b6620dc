import AccessLog
import DarwinStandIn
import Foundation
import Testing

@testable import ReferralBridge

extension PlatformTests {
    @MainActor
    struct UserDefaultsLedgerTests {
        init() async { await Device.launchInFront() }

        @Test("user defaults remember the last record exactly, under one key")
        func remembers() throws {
            let defaults = try Fixture.defaults()
            let record = LedgerRecord(
                reported: ReportedTaps(
                    last: Timestamp(milliseconds: 1_795_224_750_688.25),
                    recent: [Timestamp(milliseconds: 1_795_224_750_700)]
                ),
                lastRead: PasteboardMark(changeCount: 7, startOfDevice: Fixture.now),
                emptyRead: PasteboardMark(changeCount: 8),
                isFirstLaunchOver: true
            )
            #expect(try UserDefaultsLedger(defaults).load() == nil, "empty before the first time")
            try record.save(in: UserDefaultsLedger(defaults))
            #expect(try LedgerRecord(UserDefaultsLedger(defaults).load()) == record)
            #expect(try UserDefaultsLedger(defaults, key: "other").load() == nil)
        }

        @Test("what somebody else wrote under the key is an error, and is replaced")
        func foreign() throws {
            let defaults = try Fixture.defaults()
            defaults.set(Data("x".utf8), forKey: "ReferralBridge")
            #expect(throws: DecodingError.self) { try LedgerRecord(UserDefaultsLedger(defaults).load()) }
            try LedgerRecord(isFirstLaunchOver: true).save(in: UserDefaultsLedger(defaults))
            #expect(try LedgerRecord(UserDefaultsLedger(defaults).load()).isFirstLaunchOver)
        }

        @Test("foreign content is read once for each change, from launch to launch, until the device starts again")
        func oncePerChange() async throws {
            let ledger = UserDefaultsLedger(try Fixture.defaults())
            let start = nanosecondsSinceStart
            defer { nanosecondsSinceStart = start }
            Device.put("https://example.com")
            for _ in 0..<3 { await Fixture.bridge(ledger).checkForReferralLinks() }
            let readsOfOneContent = Device.reads
            await Fixture.bridge(ledger).checkForReferralLinks()
            #expect(Device.reads == readsOfOneContent)

            // The contents outlive the restart, and the count that begins again may well come to the same number.
            nanosecondsSinceStart = 300_000_000_000
            Device.log.take()
            await Fixture.bridge(ledger).checkForReferralLinks()
            #expect(Device.reads == readsOfOneContent)
        }
    }
}
