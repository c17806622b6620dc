/// Tells a new visit from one that continues.
///
/// Requests of the same client for the same thing belong to one visit if each follows the one before it by less than 30 minutes. The
/// visits of a log are forgotten as the log goes on: once it has come to a minute that is more than 30 minutes before or after
/// their last request.
///
/// Two parts of a log can be joined at any line, and the visits that the cut divided become one again. For that, a part keeps a
/// digest of each visit in its first and in its last half hour, and nothing of the others.
struct Visits {
    /// The longest time between two requests of a visit, in seconds. At exactly this time, a new visit begins.
    static let pause = 1_800
    /// How far the log may go, in minutes, until a visit is forgotten.
    private static let memory = 30

    /// The client and what it asked for.
    struct Key: Hashable, Comparable {
        let digest: UInt64

        init(digest: UInt64) { self.digest = digest }

        /// Of the client, 28 bits are kept. For each user agent, 16 addresses of IPv4 have the same ones, so no address can be read back.
        init(client: Bytes, agent: Bytes, measure: Measure, path: Bytes, referrer: Bytes) {
            var person = StableHash()
            person.add(client)
            person.add(agent)
            var subject = StableHash(seed: UInt64(measure.rawValue) + 1)
            subject.add(path)
            subject.add(referrer)
            digest = subject.value << 28 | person.value >> 36
        }

        static func < (left: Key, right: Key) -> Bool { left.digest < right.digest }
    }

    /// What a visit counts for.
    struct Subject: Equatable {
        var measure: Measure
        var referrer: String
        var campaign: String
    }

    /// The first request of a visit, near the start of a part.
    struct First {
        let time: Int
        let subject: Subject
        /// The minutes of the part's requests up to this one.
        var minutes: ClosedRange<Int>
    }

    /// The minutes of all requests; `nil` before the first one.
    private(set) var minutes: ClosedRange<Int>?
    /// The first requests that may continue a visit of an earlier part.
    private(set) var first: [Key: First] = [:]
    /// The times of the last requests of the visits that aren't forgotten.
    private(set) var last: [Key: Int] = [:]

    /// The visits by the minutes of their last requests. 64 minutes are more than those that are remembered.
    private var ring = [(minute: Int, keys: [Key])](repeating: (0, []), count: 64)
    private var current: Int?

    init() {}

    /// Restores the visits of a part.
    init(minutes: ClosedRange<Int>?, first: [Key: First], last: [Key: Int]) {
        (self.minutes, self.first, self.last) = (minutes, first, last)
        for (key, time) in last { remember(key, time / 60) }
    }

    /// Records a request, and returns whether a visit begins with it.
    mutating func begins(_ key: Key, at time: Int, _ subject: @autoclosure () -> Subject) -> Bool {
        let minute = time / 60
        if minute != current {
            forget(outside: minute)
            current = minute
            minutes = minutes.map { min($0.lowerBound, minute)...max($0.upperBound, minute) } ?? minute...minute
        }
        let previous = last.updateValue(time, forKey: key)
        let isNew = previous.map { abs(time - $0) >= Self.pause } ?? true
        if isNew, let minutes, minutes.upperBound - minutes.lowerBound <= 2 * Self.memory, first[key] == nil {
            first[key] = First(time: time, subject: subject(), minutes: minutes)
        }
        if previous.map({ $0 / 60 }) != minute { remember(key, minute) }
        return isNew
    }

    private mutating func remember(_ key: Key, _ minute: Int) {
        let slot = minute & 63
        if ring[slot].minute != minute { ring[slot] = (minute, []) }
        ring[slot].keys.append(key)
    }

    private mutating func forget(outside minute: Int) {
        for slot in ring.indices where !ring[slot].keys.isEmpty && abs(ring[slot].minute - minute) > Self.memory {
            let forgotten = ring[slot].minute
            for key in ring[slot].keys {
                if let time = last[key], time / 60 == forgotten { last[key] = nil }
            }
            ring[slot].keys = []
        }
    }

    /// Joins the visits of the next part of a log, and returns the first requests that began no visit after all.
    mutating func join(_ next: Visits) -> [First] {
        guard let nextMinutes = next.minutes else { return [] }
        guard let minutes else {
            self = next
            return []
        }
        func isRemembered(_ time: Int, _ minutes: ClosedRange<Int>) -> Bool {
            let minute = time / 60
            return minutes.upperBound - minute <= Self.memory && minute - minutes.lowerBound <= Self.memory
        }
        var continued: [First] = []
        var joinedFirst = first
        for (key, first) in next.first {
            if let time = last[key], abs(first.time - time) < Self.pause, isRemembered(time, first.minutes) {
                continued.append(first)
            }
            let before =
                min(minutes.lowerBound, first.minutes.lowerBound)...max(minutes.upperBound, first.minutes.upperBound)
            if joinedFirst[key] == nil, before.upperBound - before.lowerBound <= 2 * Self.memory {
                joinedFirst[key] = First(time: first.time, subject: first.subject, minutes: before)
            }
        }
        let kept = last.filter { key, time in next.first[key] == nil && isRemembered(time, nextMinutes) }
        let lower = min(minutes.lowerBound, nextMinutes.lowerBound)
        self = Visits(
            minutes: lower...max(minutes.upperBound, nextMinutes.upperBound),
            first: joinedFirst,
            last: next.last.merging(kept) { newer, _ in newer }
        )
        return continued
    }
}
