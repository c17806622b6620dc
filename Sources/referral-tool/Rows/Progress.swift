/// How far the work is, for a person who waits at a terminal; nobody else is told.
final class Progress {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var nextShow: ContinuousClock.Instant
    private let size: Int?
    private let tells: Bool
    /// A line in between of rows on the same screen would be in the way.
    private let shows: Bool
    private var isShown = false

    /// Progress through an input of so many bytes, where that is known.
    init(size: Int?, isQuiet: Bool) {
        self.size = size
        start = clock.now
        nextShow = start + .seconds(1)
        tells = !isQuiet && ByteStream.error.isTerminal
        shows = tells && !ByteStream.output.isTerminal
    }

    /// Shows how far it is, from the second second on and a few times a second.
    func show(rows: Int, consumed: Int) {
        guard shows, clock.now >= nextShow else { return }
        nextShow = clock.now + .milliseconds(200)
        let seconds = seconds
        var line = "\(Self.count(rows, "row")), \(Self.rate(rows, seconds))"
        if let size, size > 0, consumed > 0 {
            let left = seconds * Double(max(0, size - consumed)) / Double(consumed)
            line += ", \(min(100, consumed * 100 / size)) %, \(Self.duration(left)) left"
        }
        isShown = true
        try? ByteStream.error.write("\r\u{1B}[K\(line)")
    }

    /// Takes away what is shown.
    func clear() {
        guard isShown else { return }
        isShown = false
        try? ByteStream.error.write("\r\u{1B}[K")
    }

    /// Says in one line what was done.
    func finish(rows: Int, bad: Int) {
        clear()
        guard tells else { return }
        let fallen = bad > 0 ? "; \(Self.grouped(bad)) of them could not be taken" : ""
        try? ByteStream.error.write(
            "\(Self.count(rows, "row")) in \(Self.duration(seconds)), \(Self.rate(rows, seconds))\(fallen)\n"
        )
    }

    private var seconds: Double {
        let duration = (clock.now - start).components
        return Double(duration.seconds) + Double(duration.attoseconds) / 1e18
    }

    // MARK: Figures as people read them

    /// `1 row`, `1,234 rows`.
    static func count(_ count: Int, _ name: String) -> String { "\(grouped(count)) \(name)\(count == 1 ? "" : "s")" }

    /// `1,234,567`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }

    private static func rate(_ rows: Int, _ seconds: Double) -> String {
        "\(grouped(Int(Double(rows) / max(seconds, 0.001)))) a second"
    }

    /// `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`.
    private static func duration(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<10: return "\((seconds * 10).rounded() / 10) s"
        case ..<60: return "\(whole) s"
        case ..<3_600: return "\(whole / 60) min \(whole % 60) s"
        default: return "\(whole / 3_600) h \(whole / 60 % 60) min"
        }
    }
}
