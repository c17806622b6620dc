/// Names that mean nothing to the command, in the order of the input.
struct IgnoredNames {
    /// More aren't shown, and a member's name can be another one in each row.
    private static let maximumCount = 64

    private(set) var names: [String] = []

    mutating func insert(_ name: String) {
        guard names.count < Self.maximumCount, !names.contains(name) else { return }
        names.append(name)
    }

    mutating func insert(_ names: ArraySlice<String>) { for name in names { insert(name) } }
}
