/// Names that the command ignores, in the order of the input.
struct IgnoredNames {
    /// The maximum number of names to keep, since each row may have different ones.
    private static let maximumCount = 64

    private(set) var names: [String] = []

    mutating func insert(_ name: String) {
        guard names.count < Self.maximumCount, !names.contains(name) else { return }
        names.append(name)
    }

    mutating func insert(_ names: ArraySlice<String>) { for name in names { insert(name) } }
}
