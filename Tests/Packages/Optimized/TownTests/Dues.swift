import Foundation
import ReferralInvitations

/// What one installation of the app owes and may do, worked out from what happened to it and from the design alone: nothing here
/// asks the library. Times are in milliseconds, by the phone's clock.
final class Dues: @unchecked Sendable {
    /// What the app has learned.
    private struct Facts {
        /// The programs that were signed, also before.
        var answered: Set<String> = []
        var refusals: [String: (first: Double, last: Double)] = [:]
        /// The pause that the guestbook asked for.
        var pause: (start: Double, seconds: Double)?
        /// When the last complete reading began.
        var reading: Double?
    }

    private let violate: (String) -> Void
    private(set) var firstLaunch: Double?
    /// When the store first sold the app to this person, if it says so.
    let purchase: Double?
    /// The person's own codes, as far as this installation knows.
    private(set) var codes: Set<String> = []
    private var arrivals: [(referrer: String, time: Double)] = []
    private var reached: Set<String> = []
    private(set) var owed: [String: GuestbookEntry] = [:]
    /// The programs that may have been given up, since they weren't allowed for 30 days.
    private(set) var mayBeGivenUp: Set<String> = []

    /// What the process knows, and what the next one will know.
    private var (memory, disk) = (Facts(), Facts())
    private var hasSaved = false
    /// What is true of one process: the failures of each program, when it last read the records for each name, and which appearance
    /// of the view was the reason.
    private var failures: [String: (count: Int, last: Double)] = [:]
    private var readings: [String: Double] = [:]
    private var (views, usedViews) = (0, [String: Int]())
    /// The reading under way: when it began, the names that are left, and the reading before it.
    private var reading: (start: Double, names: Set<String>, before: Double?)?

    init(purchase: Double?, violate: @escaping (String) -> Void) {
        self.purchase = purchase
        self.violate = violate
    }

    // MARK: The life of the installation

    private static let day = 86_400_000.0

    func beginProcess(at time: Double) {
        (memory, hasSaved, failures) = (disk, false, [:])
        (readings, views, usedViews, reading) = ([:], 0, [:], nil)
        for (program, refusal) in memory.refusals where time - refusal.first >= 30 * Self.day {
            mayBeGivenUp.insert(program)
        }
    }

    func noteLaunch(at time: Double) { if firstLaunch == nil { firstLaunch = time } }

    func know(_ codes: some Sequence<String>) { self.codes.formUnion(codes) }

    /// A write succeeded or failed.
    func noteSave(_ isSaved: Bool) { hasSaved = isSaved }

    /// What was learned before the last write is on the disk, if the process still lives.
    func settle() {
        if hasSaved { disk = memory }
        hasSaved = false
    }

    // MARK: Newcomers

    /// Whether an arrival makes the person a newcomer who was invited by somebody else.
    func counts(_ referrer: String, at time: Double) -> Bool {
        guard let firstLaunch, !codes.contains(referrer) else { return false }
        return abs(time - firstLaunch) <= 7 * Self.day && time - (purchase ?? time) <= 7 * Self.day
    }

    func noteArrival(_ referrer: String, at time: Double) {
        guard counts(referrer, at: time) else { return }
        arrivals.removeAll { $0.referrer == referrer }
        arrivals.append((referrer, time))
    }

    /// - Returns: Whether the event was reached for the first time.
    func noteEvent(_ event: String, at time: Double, in programs: [InviteProgram]) -> Bool {
        guard reached.insert(event).inserted else { return false }
        guard let arrival = arrivals.last(where: { counts($0.referrer, at: $0.time) }) else { return true }
        let day = Date(timeIntervalSince1970: (time / Self.day).rounded(.down) * 86_400)
        for program in programs where program.event == event {
            owed[program.name] = GuestbookEntry(
                program: program.name,
                referrer: arrival.referrer,
                event: event,
                day: day
            )
        }
        return true
    }

    /// An event couldn't be saved.
    func forgetEvent(_ event: String) {
        reached.remove(event)
        owed = owed.filter { $0.value.event != event }
    }

    // MARK: Asking once

    func willSign(_ entry: GuestbookEntry, at time: Double) {
        if owed[entry.program] != entry { violate("signs \(entry), and owes \(owed[entry.program] as Any)") }
        if codes.contains(entry.referrer) { violate("signs for its own code") }
        if memory.answered.contains(entry.program) { violate("signs \(entry.program) again") }
        if let last = memory.refusals[entry.program]?.last, isWithin(Self.day, of: last, at: time) {
            violate("signs \(entry.program) again on the day on which it wasn't allowed")
        }
        checkPause(at: time)
        guard let (count, last) = failures[entry.program] else { return }
        if isWithin(min(3_600, pow(2, Double(count - 1))) * 1_000, of: last, at: time) {
            violate("signs again \(time - last) ms after \(count) failures")
        }
    }

    func didSign(_ program: String, _ error: GuestbookError?, at time: Double) {
        switch error {
        case nil:
            memory.answered.insert(program)
            failures[program] = nil
        case .notAllowed:
            memory.refusals[program] = (memory.refusals[program]?.first ?? time, time)
            failures[program] = nil
        default: failures[program] = ((failures[program]?.count ?? 0) + 1, time)
        }
        hear(error, at: time)
    }

    func hear(_ error: GuestbookError?, at time: Double) {
        guard case .retryAfter(let seconds) = error else { return }
        // An earlier pause may last longer, unless the clock was set back.
        if let (start, earlier) = memory.pause, start <= time, start + earlier * 1_000 > time + seconds * 1_000 {
            return
        }
        memory.pause = (time, seconds)
    }

    func beginView() { views += 1 }

    func willRead(_ name: String, at time: Double) {
        if !codes.contains(name) { violate("reads the records for \(name), a stranger") }
        checkPause(at: time)
        let last = [readings[name], memory.reading].compactMap { $0 }.filter { $0 <= time }.max()
        if let last, isWithin(900_000, of: last, at: time), usedViews.updateValue(views, forKey: name) ?? 0 == views {
            violate("reads again after \(time - last) ms, and nobody looks")
        }
        readings[name] = time
        if reading == nil || reading?.names.contains(name) == false { reading = (time, codes, memory.reading) }
        reading?.names.remove(name)
    }

    func didRead(_ error: GuestbookError?, at time: Double) {
        hear(error, at: time)
        if error != nil {
            if let reading { memory.reading = reading.before }
            reading = nil
        } else if let reading, reading.names.isEmpty {
            memory.reading = reading.start
        }
    }

    private func checkPause(at time: Double) {
        if let (start, seconds) = memory.pause, isWithin(seconds * 1_000, of: start, at: time) {
            violate("asks within the pause that the guestbook asked for")
        }
    }

    /// A clock that was set back ends each pause. What takes less than a millisecond isn't checked.
    private func isWithin(_ milliseconds: Double, of start: Double, at time: Double) -> Bool {
        start <= time && time - start < milliseconds - 1
    }
}
