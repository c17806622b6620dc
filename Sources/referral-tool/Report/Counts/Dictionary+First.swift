extension [String: Int] {
    /// Adds to a name's count. See ``Swift/Dictionary/keepFirst(_:rest:join:)``.
    mutating func add(_ count: Int, to name: String, keepingFirst maximum: Int, rest: String) {
        self[name, default: 0] &+= count
        keepFirst(maximum, rest: rest) { $0 &+= $1 }
    }
}

extension Dictionary where Key == String {
    /// Keeps the first names in the order of their bytes, and joins the values of the others under the name of the rest.
    ///
    /// A name that is left out now is so after all later additions too. So the result doesn't depend on their order.
    mutating func keepFirst(_ maximum: Int, rest: String, join: (inout Value, Value) -> Void) {
        guard count > maximum + (self[rest] == nil ? 0 : 1) else { return }
        let names = keys.filter { $0 != rest }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names.dropFirst(maximum) {
            guard let value = removeValue(forKey: name) else { continue }
            if var sum = removeValue(forKey: rest) {
                join(&sum, value)
                self[rest] = sum
            } else {
                self[rest] = value
            }
        }
    }
}
