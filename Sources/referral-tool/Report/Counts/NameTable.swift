import UnlockCatalog

/// The figures of each referrer, or of each campaign.
///
/// Beyond a limit, names are counted together as *other*. Which ones these are depends on the names alone and not on their order, so
/// that the tables of parts add up to the table of the whole: a name whose hash is among the lowest ones is kept from its first
/// appearance to its last.
struct NameTable {
    /// The number of names that are kept.
    static let maximumCount = 100_000

    /// The counts without a name.
    enum Group: String, CaseIterable {
        /// The source doesn't name one.
        case none
        /// Beyond the limit, here or in the app.
        case other
        /// The referrers of an app that are personal codes.
        case invitations
    }

    struct Entry {
        let name: Name
        fileprivate let rank: UInt64
        var figures = PeriodFigures()
    }

    /// A place in the table; valid until ``generation`` changes.
    typealias Place = Int

    private(set) var entries: [Entry] = []
    private(set) var groups = [PeriodFigures](repeating: PeriodFigures(), count: Group.allCases.count)
    /// Changes when places move.
    private(set) var generation = 0

    private var places: [Name: Place] = [:]
    /// Names above it aren't kept.
    private var maximumRank = UInt64.max
    /// The names that are kept whatever their hash.
    private let known: Set<Name>
    private let limit: Int

    init(known: Set<Name> = [], limit: Int = Self.maximumCount) {
        self.known = known
        self.limit = limit
    }

    /// The place of a name, or that of a group.
    mutating func place(of name: String) -> Place {
        guard name.isName else { return Self.place(of: name.isEmpty ? .none : .other) }
        let name = Name(name)
        if let place = places[name] { return place }
        let rank = known.contains(name) ? 0 : max(1, StableHash.of(name.rawValue))
        guard rank <= maximumRank else { return Self.place(of: .other) }
        if entries.count >= limit * 3 / 2 + known.count { keepLowest() }
        guard rank <= maximumRank else { return Self.place(of: .other) }
        places[name] = entries.count
        entries.append(Entry(name: name, rank: rank))
        return entries.count - 1
    }

    /// A table for the next part. It keeps no name that this one wouldn't keep.
    var forNextPart: NameTable {
        var table = NameTable(known: known, limit: limit)
        table.maximumRank = maximumRank
        return table
    }

    /// Adds another table's figures.
    mutating func add(_ other: NameTable) {
        for group in Group.allCases { self[Self.place(of: group)] += other[group] }
        for entry in other.entries { self[place(of: entry.name.rawValue)] += entry.figures }
    }

    /// Groups have negative places.
    static func place(of group: Group) -> Place { -1 - (Group.allCases.firstIndex(of: group) ?? 0) }

    subscript(place: Place) -> PeriodFigures {
        get { place < 0 ? groups[-1 - place] : entries[place].figures }
        _modify {
            if place < 0 { yield &groups[-1 - place] } else { yield &entries[place].figures }
        }
    }

    subscript(group: Group) -> PeriodFigures { self[Self.place(of: group)] }

    /// Moves the names beyond the limit to *other*.
    mutating func keepLowest() {
        let ranks = entries.lazy.map(\.rank).filter { $0 > 0 }
        guard ranks.count > limit else { return }
        maximumRank = ranks.sorted()[limit - 1]
        generation += 1
        var kept: [Entry] = []
        kept.reserveCapacity(limit * 3 / 2)
        let other = Self.place(of: .other)
        for entry in entries {
            if entry.rank <= maximumRank { kept.append(entry) } else { self[other] += entry.figures }
        }
        entries = kept
        places.removeAll(keepingCapacity: true)
        for (place, entry) in entries.enumerated() { places[entry.name] = place }
    }

    /// The entries whose figures aren't all zero, in the order of their names' bytes.
    var sorted: [Entry] {
        entries.filter { !$0.figures.isEmpty }
            .sorted { $0.name.rawValue.utf8.lexicographicallyPrecedes($1.name.rawValue.utf8) }
    }
}
