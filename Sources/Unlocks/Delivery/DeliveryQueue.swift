#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The order in which grants are delivered. One that failed goes to the back, and waits longer each time.
struct DeliveryQueue {
    /// How long to wait after a number of failures before the last one, in seconds: 1, 2, 4, up to an hour.
    static func pause(after failures: Int) -> Double { min(Double(1 << min(failures, 12)), 3_600) }

    private struct Entry {
        let source: Grant.Source
        var failures = 0
        var earliest = Date.distantPast
    }

    private var entries: [Entry] = []

    /// Adds a grant, unless it is there. One that waits after a failure is tried at once if `isUrgent`.
    mutating func add(_ source: Grant.Source, isUrgent: Bool = false) {
        guard let index = entries.firstIndex(where: { $0.source == source }) else {
            return entries.append(Entry(source: source))
        }
        if isUrgent { entries[index].earliest = .distantPast }
    }

    mutating func remove(_ source: Grant.Source) { entries.removeAll { $0.source == source } }

    /// The first that may be tried at a moment.
    func next(at now: Date) -> Grant.Source? { entries.first { $0.earliest <= now }?.source }

    /// The earliest moment at which one may be tried.
    var earliest: Date? { entries.map(\.earliest).min() }

    /// Puts one that failed to the back.
    ///
    /// - Returns: How long it waits, in seconds.
    mutating func fail(_ source: Grant.Source, at now: Date) -> Double {
        guard let index = entries.firstIndex(where: { $0.source == source }) else { return 0 }
        var entry = entries.remove(at: index)
        let pause = Self.pause(after: entry.failures)
        entry.failures += 1
        entry.earliest = now + pause
        entries.append(entry)
        return pause
    }
}
