import Foundation

@testable import ReferralBridge

/// The file of the counts on a simulated device. It can be written when the ledger can't, so that the counts know of arrivals that
/// the bridge forgets.
struct SimulatedCounts: ReferralLedger {
    let device: SimulatedDevice

    func load() throws -> Data? {
        if device.isLocked { throw CocoaError(.fileReadNoPermission) }
        return device.counts
    }

    func save(_ data: Data) throws {
        if device.isLocked { throw CocoaError(.fileWriteNoPermission) }
        device.counts = data
    }
}

extension SimulatedProcess {
    /// When the app is told of a tap, the tap was counted on this day, and once, however often the app was told before.
    func checkCount(of tap: SimulatedDevice.Tap) {
        let isNew = device.installation.told.insert(tap).inserted
        let taps = device.installation.told.count { $0.referrer == tap.referrer }
        let rows: [CountsRow]
        do {
            rows = try device.counts.map { try JSONDecoder().decode(CountsRecord.self, from: $0).rows } ?? []
        } catch { return device.violate("the counts can't be read: \(error)") }
        let found = rows.filter { $0.outcome == "found" && $0.referrer == tap.referrer }
        let count = found.reduce(0) { $0 + $1.count }
        if count != taps {
            device.violate("\(tap.referrer) counts \(count) times, and came \(taps) times")
        }
        let day = device.now.date.formatted(.iso8601.year().month().day())
        if isNew, !found.contains(where: { $0.day == day }) {
            device.violate("\(tap.referrer) doesn't count on \(day)")
        }
    }
}
