/// What a silent look at a pasteboard sees.
enum PasteboardSight: Sendable, Equatable {
    case link
    case noLink
    /// A link, with types that the kind of probe doesn't accept.
    case otherLink(types: [String])
}

/// The silent looks at the pasteboard that aren't answered, and the late answer that the next check gets.
struct Probes: Sendable, Equatable {
    /// One silent look. Its answer counts for the content with its change count, and while the app stays in front: to an app in the
    /// background, a pasteboard looks empty.
    struct Probe: Sendable, Equatable {
        let number: Int
        let changeCount: Int?
        let departures: Int
        /// When the check began. The taps are judged by it, however late the answer comes.
        let moment: Timestamp
    }

    private struct Late: Sendable, Equatable {
        let probe: Probe
        let sight: PasteboardSight
    }

    private var open: [Probe] = []
    private var (lastAsked, lastAnswered) = (0, 0)
    private var late: Late?

    mutating func begin(_ probe: Probe) {
        open.append(probe)
        lastAsked = probe.number
    }

    /// Takes the answer that came in time.
    mutating func end(_ number: Int) {
        open.removeAll { $0.number == number }
        lastAnswered = number
    }

    /// Takes a late answer, which the next check gets.
    ///
    /// - Returns: The probe; `nil` if the answer doesn't count, since a later probe has answered, or since the app has gone away and
    ///   asked again.
    mutating func acceptLate(
        _ number: Int,
        _ sight: Result<PasteboardSight, AppStoreBridge.Failure>,
        departures: Int
    ) -> Probe? {
        guard let index = open.firstIndex(where: { $0.number == number }) else { return nil }
        let probe = open.remove(at: index)
        guard number > lastAnswered, probe.departures == departures || number == lastAsked else { return nil }
        lastAnswered = number
        if case .success(let sight) = sight { late = Late(probe: probe, sight: sight) }
        return probe
    }

    /// The late answer, if it is about this content and the app has stayed in front since.
    func lateSight(_ changeCount: Int?, departures: Int) -> PasteboardSight? {
        guard let late, late.probe.changeCount == changeCount, late.probe.departures == departures else { return nil }
        return late.sight
    }

    /// Forgets the late answer, and returns it if it counts.
    mutating func takeLate(_ changeCount: Int?, departures: Int) -> PasteboardSight? {
        defer { late = nil }
        return lateSight(changeCount, departures: departures)
    }
}
