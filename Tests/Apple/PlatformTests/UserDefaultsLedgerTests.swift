import Foundation
import ReferralBridge
import Testing

extension PlatformTests {
    @MainActor
    struct UserDefaultsLedgerTests {
        @Test("user defaults remember the last record exactly, under one key")
        func remembers() throws {
            let defaults = try Fixture.defaults()
            let record = LedgerRecord(
                newestReported: Timestamp(milliseconds: 1_795_224_750_688.25),
                readChangeCount: 7,
                isFirstLaunchOver: true
            )
            #expect(try UserDefaultsLedger(defaults).record() == LedgerRecord(), "empty before the first time")
            try UserDefaultsLedger(defaults).save(record)
            #expect(try UserDefaultsLedger(defaults).record() == record)
            #expect(try UserDefaultsLedger(defaults, key: "other").record() == LedgerRecord())
        }

        @Test("what somebody else wrote under the key is an error, and is replaced")
        func foreign() throws {
            let defaults = try Fixture.defaults()
            defaults.set(Data("x".utf8), forKey: "ReferralBridge")
            #expect(throws: DecodingError.self) { try UserDefaultsLedger(defaults).record() }
            try UserDefaultsLedger(defaults).save(LedgerRecord(readChangeCount: 1))
            #expect(try UserDefaultsLedger(defaults).record().readChangeCount == 1)
        }
    }
}
