/// The addresses that have just opened the app. Systems sometimes deliver an address twice.
package struct RecentOpenings: Sendable, Equatable {
    private struct Opening: Sendable, Equatable {
        let address: String
        let moment: Timestamp
    }

    /// An address that opens the app again sooner, in milliseconds, is the same opening. The clock may be set in between.
    private static let interval = 2_000.0

    private var openings: [Opening] = []

    package init() {}

    /// Whether the address has just opened the app, or will have by a clock that was set back.
    package func contains(_ address: String, at now: Timestamp) -> Bool {
        openings.contains { $0.address.utf8.elementsEqual(address.utf8) && Self.isSame($0.moment, now) }
    }

    /// Records that the address has opened the app.
    package mutating func insert(_ address: String, at now: Timestamp) {
        openings.removeAll { !Self.isSame($0.moment, now) || $0.address.utf8.elementsEqual(address.utf8) }
        openings.append(Opening(address: address, moment: now))
    }

    private static func isSame(_ moment: Timestamp, _ other: Timestamp) -> Bool {
        abs(moment.milliseconds - other.milliseconds) < interval
    }
}
