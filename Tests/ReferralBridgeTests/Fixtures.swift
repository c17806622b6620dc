import Foundation

@testable import ReferralBridge

/// A tap, the moment after it, and links that carry it: what most tests begin with.
enum Fixture {
    static let app: AppID = 1_300_230_302
    static let now = Timestamp(milliseconds: 1_795_224_750_690)

    /// Stands still at ``now``. A time limit is never over, however slow the machine is.
    @MainActor static let clock = DeviceClock(
        now: { now },
        sleep: { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }
    )

    static func before(_ milliseconds: Double) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds - milliseconds)
    }

    /// A link to the app whose tap lies so many milliseconds before ``now``.
    static func link(_ referrer: String = "spring", age: Double = 1_000) -> String {
        link(payload: #"{"timestamp":\#(Int64(now.milliseconds - age)),"referrer":"\#(referrer)"}"#)
    }

    /// A link to the app with any payload at all.
    static func link(payload: String) -> String {
        link(ed: Data(payload.utf8).base64EncodedString())
    }

    static func link(ed: String) -> String {
        "https://apps.apple.com/us/app/trestle/id1300230302?ed=\(ed)"
    }
}

/// The error of a string; `nil` if it is a link.
func rule(_ string: String, for app: AppID? = Fixture.app, hosts: [String] = []) -> ReferralLinkError? {
    do {
        _ = try ReferralLink(string, for: app, additionalHosts: hosts)
        return nil
    } catch {
        return error
    }
}

extension InMemoryLedger {
    convenience init(_ record: LedgerRecord) throws {
        self.init()
        try record.save(in: self)
    }

    var record: LedgerRecord { get throws { try LedgerRecord(load()) } }
}
