/// The numbers of a row, by the index of the column in ``Tally/columns``.
struct Figures {
    private var counts = [Int](repeating: 0, count: Measure.allCases.count)

    subscript(column: Int) -> Int {
        get { column < counts.count ? counts[column] : 0 }
        set {
            while counts.count <= column { counts.append(0) }
            counts[column] = newValue
        }
    }

    subscript(measure: Measure) -> Int { counts[measure.rawValue] }

    var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }

    static func += (left: inout Figures, right: Figures) {
        for (column, count) in right.counts.enumerated() { left[column] &+= count }
    }
}
