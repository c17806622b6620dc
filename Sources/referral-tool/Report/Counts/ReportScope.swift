/// What is counted in a report. The reports of parts must have the same scope.
struct ReportScope: Equatable {
    /// The paths of the landing pages; if there are none, every path whose query has the item.
    var pages: [String] = []
    /// The path of the count address.
    var countPath: String?
    /// The query item that names the referrer.
    var item = "ref"
    var from: Day?
    var to: Day?
    /// The first day of the second period, if two are compared.
    var comparison: Day?

    func contains(_ day: Day) -> Bool {
        if let from, day < from { return false }
        if let to, day > to { return false }
        return true
    }

    func period(of day: Day) -> Period {
        if let comparison, day >= comparison { return .after }
        return .before
    }

    /// Whether the scope depends on days, so that a row without one can't be counted.
    var needsDays: Bool { from != nil || to != nil || comparison != nil }

    /// The options in which another scope differs.
    func differences(from other: ReportScope) -> [String] {
        [
            pages == other.pages ? nil : "--page", countPath == other.countPath ? nil : "--count",
            item == other.item ? nil : "--ref", from == other.from ? nil : "--from", to == other.to ? nil : "--to",
            comparison == other.comparison ? nil : "--compare",
        ].compactMap(\.self)
    }
}
