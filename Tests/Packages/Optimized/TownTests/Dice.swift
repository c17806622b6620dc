import SimulatedRuntime

/// What happens by chance. A seed always makes the same town.
final class Dice: @unchecked Sendable {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(state: seed) }

    func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < probability }

    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }

    func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }

    func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
        elements.randomElement(using: &generator)
    }

    /// Uses the numbers for something else.
    func use<Value>(_ body: (inout SeededGenerator) -> Value) -> Value { body(&generator) }
}
