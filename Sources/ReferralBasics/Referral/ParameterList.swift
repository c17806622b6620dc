/// Parameters in the order of their names' UTF-16 code units, as JavaScript sorts. Swift's order differs beyond U+FFFF.
///
/// Names are compared exactly. Swift's own comparison sorts combining marks, so it is slow for a name with thousands of them. A
/// payload has few parameters, so each one is inserted in its place.
package struct ParameterList: Sendable {
    package struct Parameter: Sendable {
        package let name: String
        package let value: String
    }

    package private(set) var parameters: [Parameter] = []

    package init() {}

    /// The value of a parameter with an ASCII name.
    package subscript(name: String) -> String? {
        for parameter in parameters where parameter.name == name { return parameter.value }
        return nil
    }

    /// Sets the value of a parameter, or removes it.
    mutating func set(_ name: String, to value: String?) {
        let place = Self.place(among: parameters.count) { Self.precedes(parameters[$0].name, name) }
        if place < parameters.count, !Self.precedes(name, parameters[place].name) { parameters.remove(at: place) }
        if let value { parameters.insert(Parameter(name: name, value: value), at: place) }
    }

    /// The place of a name among a number of names in order.
    ///
    /// - Parameters:
    ///   - count: The number of names.
    ///   - precedes: Whether the name at an index comes before the new one.
    /// - Returns: The number of names that come before the new one.
    package static func place(among count: Int, _ precedes: (Int) -> Bool) -> Int {
        var places = 0..<count
        while !places.isEmpty {
            let middle = (places.lowerBound + places.upperBound) / 2
            places = precedes(middle) ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return places.lowerBound
    }

    private static func precedes(_ name: String, _ other: String) -> Bool {
        name.withUTF8Bytes { name in other.withUTF8Bytes { precedes(name, $0) } }
    }

    /// Whether a name in UTF-8 comes before another one.
    package static func precedes(_ name: Bytes, _ other: Bytes) -> Bool {
        for (byte, otherByte) in zip(name, other) where byte != otherByte { return order(byte) < order(otherByte) }
        return name.count < other.count
    }

    /// The order of the first bytes that differ: a surrogate of UTF-16, for 0xF0 and above, comes before U+E000, which begins with
    /// 0xEE.
    private static func order(_ byte: UInt8) -> UInt8 { byte >= 0xF0 ? byte - 2 : byte >= 0xEE ? byte + 16 : byte }
}
