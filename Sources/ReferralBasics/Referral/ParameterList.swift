/// Parameters in the order of their names' UTF-16 code units, as JavaScript sorts. Swift's order differs beyond U+FFFF.
///
/// Names are compared exactly. Swift's own comparison sorts combining marks, so it is slow for a name with thousands of them. A
/// payload has few parameters, so each one is inserted in its place.
package struct ParameterList {
    package struct Parameter {
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
        var places = 0..<parameters.count
        while !places.isEmpty {
            let middle = (places.lowerBound + places.upperBound) / 2
            if parameters[middle].name.utf16.lexicographicallyPrecedes(name.utf16) {
                places = middle + 1..<places.upperBound
            } else {
                places = places.lowerBound..<middle
            }
        }
        let place = places.lowerBound
        if place < parameters.count, !name.utf16.lexicographicallyPrecedes(parameters[place].name.utf16) {
            parameters.remove(at: place)
        }
        if let value { parameters.insert(Parameter(name: name, value: value), at: place) }
    }
}
