import ReferralFoundation

/// The order in which grants are delivered: first those that haven't opened anything yet, then content that is delivered again.
/// One that failed goes to the back, and waits longer each time.
struct DeliveryQueue {
    private struct Entry {
        var isAgain: Bool
        var failures = 0
        var pause: Pause?
        /// Whether it waits for its files.
        var isHeld = false
        var canBeTried: Bool { pause == nil && !isHeld }
        /// The number of its last failure.
        var number = 0
    }

    /// Sources in order. Those that were removed meanwhile stay in it until they come to the front.
    private struct Line {
        private var sources: [Grant.Source] = []
        private var start = 0

        mutating func append(_ source: Grant.Source) { sources.append(source) }

        /// The first source that satisfies a condition. Those before it are dropped.
        mutating func first(where isHere: (Grant.Source) -> Bool) -> Grant.Source? {
            while start < sources.count, !isHere(sources[start]) { start += 1 }
            guard start < sources.count else {
                (sources, start) = ([], 0)
                return nil
            }
            return sources[start]
        }
    }

    private var entries: [Grant.Source: Entry] = [:]
    private var (new, again) = (Line(), Line())
    /// Those that failed, and the bounds of their pauses.
    private var paused: Set<Grant.Source> = []
    private var failureCount = 0
    private var (lastStart, firstEnd) = (Date.distantPast, Date.distantFuture)

    /// Adds a grant, unless it is there.
    ///
    /// - Parameters:
    ///   - source: The grant.
    ///   - isAgain: Whether it was delivered before.
    ///   - isUrgent: Whether one that waits after a failure is tried at once.
    mutating func add(_ source: Grant.Source, isAgain: Bool = false, isUrgent: Bool = false) {
        guard var entry = entries[source] else {
            entries[source] = Entry(isAgain: isAgain)
            return line(source, isAgain)
        }
        let wasAgain = entry.isAgain
        entry.isAgain = isAgain
        let isWoken = isUrgent && entry.pause != nil
        if isWoken {
            entry.pause = nil
            paused.remove(source)
        }
        entries[source] = entry
        if isWoken || (wasAgain != isAgain && entry.canBeTried) { line(source, isAgain) }
    }

    private mutating func line(_ source: Grant.Source, _ isAgain: Bool) {
        if isAgain { again.append(source) } else { new.append(source) }
    }

    mutating func remove(_ source: Grant.Source) {
        entries[source] = nil
        paused.remove(source)
    }

    /// Whether a grant is in the queue because its content must be delivered again.
    func isAgain(_ source: Grant.Source) -> Bool { entries[source]?.isAgain ?? false }

    /// The first that may be tried at a moment.
    mutating func next(at now: Date) -> Grant.Source? {
        if !paused.isEmpty, now >= firstEnd || now < lastStart { wake(at: now) }
        let entries = entries
        return new.first { entries[$0].map { !$0.isAgain && $0.canBeTried } ?? false }
            ?? again.first { entries[$0].map { $0.isAgain && $0.canBeTried } ?? false }
    }

    /// Lets those whose pause is over be tried.
    private mutating func wake(at now: Date) {
        let failed = paused.sorted { entries[$0]?.number ?? 0 < entries[$1]?.number ?? 0 }
        let pauses = failed.compactMap { source in entries[source]?.pause.map { (source, $0) } }
        (lastStart, firstEnd) = (.distantPast, .distantFuture)
        for (source, pause) in pauses {
            if pause.rest(at: now) == 0 {
                entries[source]?.pause = nil
                paused.remove(source)
                line(source, isAgain(source))
            } else {
                (lastStart, firstEnd) = (max(lastStart, pause.start), min(firstEnd, pause.end))
            }
        }
    }

    /// The seconds until a grant may be delivered; `nil` if there is no grant.
    mutating func rest(at now: Date) -> Double? {
        if next(at: now) != nil { return 0 }
        // Grants may have been removed since they failed, so the first end is looked up again.
        let ends = paused.compactMap { entries[$0]?.pause?.end }
        return ends.min().map { max(0, $0.timeIntervalSince(now)) }
    }

    /// Lets the others pass one until it is released or fails.
    mutating func hold(_ source: Grant.Source) { entries[source]?.isHeld = true }

    mutating func release(_ source: Grant.Source) {
        guard entries[source]?.isHeld == true else { return }
        entries[source]?.isHeld = false
        line(source, isAgain(source))
    }

    /// Puts one that failed to the back.
    ///
    /// - Parameters:
    ///   - source: The grant.
    ///   - now: The time.
    ///   - least: The shortest pause, in seconds.
    ///   - hasProgressed: Whether the attempt got further, so that the next pause needn't be longer.
    /// - Returns: How long it waits, in seconds.
    mutating func fail(
        _ source: Grant.Source,
        at now: Date,
        least: Double = 0,
        hasProgressed: Bool = false
    ) -> Double {
        guard var entry = entries[source] else { return 0 }
        let pause = Pause(seconds: max(least, Pause.seconds(after: entry.failures)), at: now)
        failureCount += 1
        if !hasProgressed { entry.failures += 1 }
        (entry.pause, entry.number, entry.isHeld) = (pause, failureCount, false)
        entries[source] = entry
        paused.insert(source)
        (lastStart, firstEnd) = (max(lastStart, pause.start), min(firstEnd, pause.end))
        return pause.rest(at: now)
    }

    func contains(_ source: Grant.Source) -> Bool { entries[source] != nil }

    /// All sources, in any order.
    var all: some Sequence<Grant.Source> { entries.keys }

    /// The sources of deliveries that haven't opened anything yet.
    var undelivered: some Sequence<Grant.Source> { entries.lazy.filter { !$0.value.isAgain }.map(\.key) }
}
