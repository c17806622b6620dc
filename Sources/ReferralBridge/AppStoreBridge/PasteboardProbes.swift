import ReferralFoundation

/// The silent looks for a link. Their time limit is their own, so that one that never ends doesn't stop later checks.
@MainActor
final class PasteboardProbes {
    /// How long a check waits for a probe, in seconds.
    ///
    /// A probe asks nobody, so a slow answer means that the system is busy or has lost the question. Two seconds are less than
    /// the default ``AppStoreBridge/timeLimit``, so a caller who waits hears how the check ended. Another device's clipboard can
    /// take longer (https://github.com/flutter/flutter/issues/180865); a late answer counts.
    static let timeLimit: TimeInterval = 2

    /// The result of a silent probe.
    enum Sight: Equatable {
        case link
        case noLink
        /// A link, with types that the kind of probe doesn't accept.
        case otherLink(types: [String])
    }

    /// One silent probe. Its answer counts only for content with the same change count, and only while the app stays in front:
    /// to an app in the background, a pasteboard looks empty.
    @MainActor
    final class Probe {
        let number: Int
        let changeCount: Int?
        let departures: Int
        /// When the check began. The taps are judged by it, however late the answer comes.
        let moment: Timestamp
        var answer: Result<Sight, AppStoreBridge.Failure>?
        var isLate = false

        init(_ number: Int, _ changeCount: Int?, departures: Int, _ moment: Timestamp) {
            self.number = number
            self.changeCount = changeCount
            self.departures = departures
            self.moment = moment
        }
    }

    /// The content that a probe must find for the pasteboard to be read.
    var kind = PasteboardProbe.anyAddress

    /// Called with a probe that was answered late.
    var onLateAnswer: (Probe) -> Void = { _ in }

    private let pasteboard: any Pasteboard
    private let clock: DeviceClock
    /// The numbers of the last probe and of the last one that answered.
    private var (asked, answered) = (0, 0)
    private var late: Probe?

    init(_ pasteboard: any Pasteboard, _ clock: DeviceClock) {
        self.pasteboard = pasteboard
        self.clock = clock
    }

    /// Asks whether the pasteboard may hold a link that is to be read.
    ///
    /// - Parameters:
    ///   - changeCount: The change count of the content that the answer is about.
    ///   - departures: How often the app went to the background.
    ///   - moment: When the check began.
    /// - Returns: The answer, or `nil` if there is none in time.
    func look(
        _ changeCount: Int?,
        departures: Int,
        at moment: Timestamp
    ) async -> Result<Sight, AppStoreBridge.Failure>? {
        if let late {
            self.late = nil
            if late.changeCount == changeCount, late.departures == departures { return late.answer }
        }
        asked += 1
        let probe = Probe(asked, changeCount, departures: departures, moment)
        let timer = Task { [clock] in await clock.sleep(Self.timeLimit) }
        Task { [weak self, pasteboard, kind] in
            do { probe.answer = .success(try await Self.sight(of: pasteboard, kind)) } catch {
                probe.answer = .failure(.init(error))
            }
            timer.cancel()
            if probe.isLate { self?.onLateAnswer(probe) }
        }
        await timer.value
        if probe.answer == nil { probe.isLate = true } else { answered = probe.number }
        return probe.answer
    }

    private static func sight(of pasteboard: any Pasteboard, _ kind: PasteboardProbe) async throws -> Sight {
        guard try await pasteboard.mayHoldLink() else { return .noLink }
        // The types aren't needed for any address, and each access may take long.
        guard kind != .anyAddress, let types = await pasteboard.types, !kind.accepts(types) else { return .link }
        return .otherLink(types: types)
    }

    /// Whether a late answer counts, so that the next check uses it. It doesn't if a later probe has answered, or if the app
    /// left the foreground and asked again.
    func accept(_ probe: Probe, departures: Int) -> Bool {
        guard probe.number > answered, probe.departures == departures || probe.number == asked else { return false }
        answered = probe.number
        if case .success = probe.answer { late = probe }
        return true
    }
}
