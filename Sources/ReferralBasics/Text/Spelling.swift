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
        let near = words.filter { $0.utf8.count <= 64 }.map { ($0, distance(Array(word), Array($0))) }
            .filter { $1 <= max(1, max(word.count, $0.count) / 3) && 2 * $1 < min(word.count, $0.count) }
        return near.min { $0.1 < $1.1 }?.0
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
