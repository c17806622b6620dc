/// The progress of a command, on a terminal only.
final class Progress {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var nextShow: ContinuousClock.Instant
    private let size: Int?
    private let showsSummary: Bool
    /// False if the rows are written to the same screen.
    private let showsProgress: Bool
    private var isShown = false

    /// Creates the progress for an input, with its size if known.
    init(size: Int?, isQuiet: Bool) {
        self.size = size
        start = clock.now
        nextShow = start + .seconds(1)
        showsSummary = !isQuiet && ByteStream.error.isTerminal
        showsProgress = showsSummary && !ByteStream.output.isTerminal
    }

    /// Shows the progress, after the first second and a few times a second.
    func show(rows: Int, consumed: Int) {
        guard showsProgress, clock.now >= nextShow else { return }
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

    /// Removes the progress from the screen.
    func clear() {
        guard isShown else { return }
        isShown = false
        try? ByteStream.error.write("\r\u{1B}[K")
    }

    /// Writes a summary.
    func finish(rows: Int, rejected: Int) {
        clear()
        guard showsSummary else { return }
        let suffix = rejected > 0 ? "; \(Self.grouped(rejected)) of them rejected" : ""
        try? ByteStream.error.write(
            "\(Self.count(rows, "row")) in \(Self.duration(seconds)), \(Self.rate(rows, seconds))\(suffix)\n"
        )
    }

    private var seconds: Double {
        let duration = (clock.now - start).components
        return Double(duration.seconds) + Double(duration.attoseconds) / 1e18
    }

    // MARK: Numbers for people

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
