/// The version of an app, compared part by part as numbers: `2` is before `13`, and `2.0` is `2.0.0`.
public struct VersionNumber: Sendable, Hashable, Comparable {
    /// The parts without zeros at the end.
    private let parts: [Int]

    /// Reads a version: 1 to 8 parts of 1 to 18 ASCII digits, with dots between. Anything else is `nil`, never a guess.
    public init?(_ text: String) {
        let fields = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard 1...8 ~= fields.count, fields.allSatisfy({ 1...18 ~= $0.count && $0.allSatisfy(ASCII.isDigit) }) else {
            return nil
        }
        var parts = fields.map { $0.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    /// Whether one version is before another.
    public static func < (left: Self, right: Self) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}
