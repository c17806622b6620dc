package import ReferralFoundation

/// The moments until which something is waited for, each with a name. They are moments of ``DeviceClock/steady``.
package struct Deadlines<Name: Hashable & Sendable>: Sendable, Equatable {
    private struct Deadline: Sendable, Equatable {
        let name: Name
        let moment: Timestamp
    }

    /// A year, in seconds: the longest wait.
    private static var longest: TimeInterval { 31_536_000 }

    private var deadlines: [Deadline] = []

    package init() {}

    /// The earliest moment; `nil` if nothing is waited for.
    package var next: Timestamp? { deadlines.min { $0.moment < $1.moment }?.moment }

    /// Sets the moment for a name, which replaces its earlier one. Not a number counts as zero.
    package mutating func set(_ name: Name, after seconds: TimeInterval, at now: Timestamp) {
        cancel(name)
        let wait = seconds > 0 ? min(seconds, Self.longest) : 0
        deadlines.append(Deadline(name: name, moment: now.advanced(by: wait)))
    }

    /// Whether a name is waited for.
    package func contains(_ name: Name) -> Bool { deadlines.contains { $0.name == name } }

    /// Forgets the moment for a name.
    package mutating func cancel(_ name: Name) { deadlines.removeAll { $0.name == name } }

    /// The names whose moments have come, in order of their moments.
    package func due(at moment: Timestamp) -> [Name] {
        // The sort is stable.
        deadlines.filter { $0.moment <= moment }.sorted { $0.moment < $1.moment }.map { $0.name }
    }

    /// Removes a name, if it is still due.
    ///
    /// - Returns: Whether it was. What another deadline has ended or begun anew isn't.
    package mutating func take(_ name: Name, at moment: Timestamp) -> Bool {
        guard let index = deadlines.firstIndex(where: { $0.name == name && $0.moment <= moment }) else { return false }
        deadlines.remove(at: index)
        return true
    }
}
