import UnlockCatalog

extension [Name: Int] {
    /// Adds to a name's count. See ``Swift/Dictionary/keepFirst(_:rest:join:)``.
    mutating func add(_ count: Int, to name: Name, keepingFirst maximum: Int, rest: Name) {
        self[name, default: 0] &+= count
        keepFirst(maximum, rest: rest) { $0 &+= $1 }
    }
}

extension Dictionary where Key == Name {
    /// Keeps the first names in the order of their bytes, and joins the values of the others under the name of the rest.
    ///
    /// A name that is left out now is so after all later additions too. So the result doesn't depend on their order.
    mutating func keepFirst(_ maximum: Int, rest: Name, join: (inout Value, Value) -> Void) {
        guard count > maximum + (self[rest] == nil ? 0 : 1) else { return }
        let names = keys.filter { $0 != rest }.sorted()
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
