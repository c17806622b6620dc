/// A number of the finite field with 32 elements: five bits, with the polynomial x⁵ + x² + 1.
package struct BinaryField32: Sendable, Equatable {
    package static let zero = BinaryField32(0)

    package let bits: UInt8

    /// Creates a number from its lowest five bits.
    package init(_ bits: UInt8) { self.bits = bits & 31 }

    /// The powers of α = 2: all numbers except zero.
    private static let powers = (1..<31).reduce(into: [BinaryField32(1)]) { powers, _ in
        let doubled = powers[powers.count - 1].bits << 1
        powers.append(BinaryField32(doubled < 32 ? doubled : doubled ^ 0b100101))
    }

    /// A power of α.
    package static func power(_ exponent: Int) -> BinaryField32 { powers[exponent % powers.count] }

    private static let logarithms: [Int?] = (0..<32).map { bits in powers.firstIndex { $0.bits == bits } }

    /// The exponent of α that gives this number; `nil` for zero.
    private var logarithm: Int? { Self.logarithms[Int(bits)] }

    package static func + (left: BinaryField32, right: BinaryField32) -> BinaryField32 {
        BinaryField32(left.bits ^ right.bits)
    }

    package static func * (left: BinaryField32, right: BinaryField32) -> BinaryField32 {
        guard let left = left.logarithm, let right = right.logarithm else { return .zero }
        return power(left + right)
    }

    /// Divides by a number other than zero.
    package static func / (left: BinaryField32, right: BinaryField32) -> BinaryField32 {
        guard let left = left.logarithm, let right = right.logarithm else { return .zero }
        return power(left + powers.count - right)
    }
}
