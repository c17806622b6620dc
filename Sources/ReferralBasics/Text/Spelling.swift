/// Finds the word that was meant by a misspelled one.
package enum Spelling {
    /// `; did you mean '--referrer'?`, or nothing if no word is similar.
    package static func suggestion(for word: String, among words: [String]) -> Sentence {
        nearest(to: word, among: words).map { "; did you mean \(quoted: $0)?" } ?? ""
    }

    /// The most similar word: a third of the longer one may differ, but less than half of the shorter one. Words of more than
    /// 64 bytes aren't compared.
    package static func nearest(to word: String, among words: [String]) -> String? {
        guard word.utf8.count <= 64 else { return nil }
        var (nearest, least): (String?, Int) = (nil, .max)
        for other in words where other.utf8.count <= 64 {
            let (shorter, longer) = (min(word.count, other.count), max(word.count, other.count))
            let distance = distance(Array(word), Array(other))
            guard distance < least, distance <= max(1, longer / 3), 2 * distance < shorter else { continue }
            (nearest, least) = (other, distance)
        }
        return nearest
    }

    /// The number of elements to insert, remove, replace or swap with their neighbor.
    package static func distance<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Int {
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
