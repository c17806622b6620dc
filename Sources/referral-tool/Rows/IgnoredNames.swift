import UnlockCatalog

/// Names that the command ignores, in the order of the input.
struct IgnoredNames {
    /// The maximum number of names to keep, since each row may have different ones.
    private static let maximumCount = 64

    private(set) var names: [Name] = []

    mutating func insert(_ name: Name) {
        guard names.count < Self.maximumCount, !names.contains(name) else { return }
        names.append(name)
    }

    mutating func insert(_ names: ArraySlice<Name>) { for name in names { insert(name) } }
}
