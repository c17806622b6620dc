/// The numbers of each referrer, or of each campaign, day or road. Memory has a limit: beyond it, new names are counted together.
struct NameTable {
    static let maximumCount = 100_000

    /// The counts without a name of their own.
    enum Group: String, CaseIterable {
        /// The source doesn't name one.
        case none
        /// Beyond the limit, here or in the app, or longer than a name.
        case other
        /// The referrers of an app that are personal codes.
        case invitations
    }

    struct Row {
        let name: String
        var group: Group?
        /// What people call the referrer.
        var label: String?
        /// Whether it is in a table of links.
        var isLinked = false
        /// The numbers, by the index of the column in ``Tally/columns``; those that are missing are zero.
        fileprivate(set) var counts = [Int](repeating: 0, count: Measure.columns.count)

        subscript(column: Int) -> Int { column < counts.count ? counts[column] : 0 }

        subscript(measure: Measure) -> Int { counts[measure.rawValue] }

        var visits: Int { max(self[.viewed], self[.opened], self[.tapped]) }

        mutating func add(_ count: Int, to column: Int) {
            while counts.count <= column { counts.append(0) }
            counts[column] &+= count
        }
    }

    /// The groups, and the names in the order of their first appearance.
    var rows = Group.allCases.map { Row(name: $0.rawValue, group: $0) }
    private var places: [Digest: Int] = [:]

    static func place(of group: Group) -> Int { Group.allCases.firstIndex(of: group) ?? 0 }

    /// The place of a name, or that of a group. Names of `links` are kept whatever their number.
    mutating func place(of name: Bytes, isKnown: Bool = false) -> Int {
        guard !name.isEmpty else { return Self.place(of: .none) }
        let digest = Digest(name)
        if let place = places[digest] { return place }
        let text = String(decoding: name, as: UTF8.self)
        guard text.isName, places.count < Self.maximumCount || isKnown else { return Self.place(of: .other) }
        places[digest] = rows.count
        rows.append(Row(name: text))
        return rows.count - 1
    }

    mutating func place(of name: String, isKnown: Bool = false) -> Int {
        name.withUTF8Bytes { place(of: $0, isKnown: isKnown) }
    }

    var totals: Row {
        rows.reduce(into: Row(name: "")) { totals, row in
            for (column, count) in row.counts.enumerated() { totals.add(count, to: column) }
        }
    }

    /// The rows that aren't all zero: names in the order of their bytes, and the groups after them.
    var sorted: [Row] {
        let used = rows.filter { row in row.counts.contains { $0 != 0 } }
        let names = used.filter { $0.group == nil }
        return names.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } + used.filter { $0.group != nil }
    }
}
