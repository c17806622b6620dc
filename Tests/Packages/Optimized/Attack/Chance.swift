import SimulatedRuntime

/// Random choices, the same for the same seed.
struct Chance {
    var generator: SeededGenerator

    init(seed: UInt64) {
        // Neighboring seeds must not begin alike.
        var mixer = SeededGenerator(state: seed &* 0x2545_F491_4F6C_DD1D)
        generator = SeededGenerator(state: mixer.next())
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    /// Whether something happens that happens once in so many times.
    mutating func once(in times: Int) -> Bool { number(0..<times) == 0 }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0..<elements.count)] }
}
