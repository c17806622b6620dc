/// An object whose values a predicate asks for by their names.
package protocol NamedValues {
    func value(named name: String, comparedTo argument: Any) -> Any?
}

extension NSPredicate {
    /// Foundation's on Apple's platforms: here, comparisons of a name with an argument, joined by AND. Linux has none.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        let parts = predicateFormat.components(separatedBy: " AND ").map { $0.split(separator: " ").map(String.init) }
        precondition(parts.allSatisfy { $0.count == 3 && $0[2] == "%@" } && parts.count == arguments?.count)
        let comparisons = zip(parts, arguments ?? []).map { (name: $0[0], operation: $0[1], argument: $1) }
        nonisolated(unsafe) let copy = comparisons
        self.init { object, _ in
            guard let object = object as? any NamedValues else { return false }
            // Each name is asked for, as a server looks for each index.
            return copy.map {
                Self.isTrue(object.value(named: $0.name, comparedTo: $0.argument), $0.operation, $0.argument)
            }
            .allSatisfy { $0 }
        }
    }

    private static func isTrue(_ value: Any?, _ operation: String, _ argument: Any) -> Bool {
        switch (value, operation, argument) {
        case (let value as String, "==", let argument as String): value == argument
        case (let value as Date, ">=", let argument as Date): value >= argument
        default: false
        }
    }
}
