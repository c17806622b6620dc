/// A value that takes events and returns effects: what it now asks of the outside. Each effect that is answered has a number, and its
/// answer has the same number.
package protocol EventHandling {
    associatedtype Effect: Sendable

    var outbox: Outbox<Effect> { get set }
}

extension EventHandling {
    package mutating func perform(_ effect: Effect) { outbox.effects.append(effect) }

    /// Asks a question, and returns its number.
    @discardableResult
    package mutating func ask(_ question: (Int) -> Effect) -> Int {
        let number = outbox.nextNumber()
        perform(question(number))
        return number
    }

    /// Begins a call, unless this event came before; returns whether it did. Later calls have higher numbers.
    package mutating func begin(_ call: Int) -> Bool {
        defer { outbox.lastCall = max(call, outbox.lastCall) }
        return call > outbox.lastCall
    }
}

/// The effects of the present event, of which there are none between two events, and the last numbers.
package struct Outbox<Effect: Sendable>: Sendable, Equatable {
    fileprivate var effects: [Effect] = []
    fileprivate var lastCall = 0
    package private(set) var lastNumber = 0

    package init() {}

    package mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Takes the effects, once the event is handled.
    package mutating func take() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.lastNumber == right.lastNumber && left.lastCall == right.lastCall
    }
}
