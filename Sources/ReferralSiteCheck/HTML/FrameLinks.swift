/// The links with a referrer on the page in a frame, and their requirements for the frame's `sandbox`.
struct FrameLinks {
    /// The targets of the links, such as `_blank`, in lowercase.
    private let targets: Set<String>

    init(_ page: HTMLPage) {
        let links = page.links.filter(\.isStoreLinkWithReferrer)
        targets = Set(links.map { ($0.element["target"]?.value ?? page.baseTarget ?? "").asciiLowercased })
    }

    /// The problem in a sandbox, and the missing words. Copying needs only scripts.
    func problem(in sandbox: String) -> Sentence? {
        guard !targets.isEmpty else { return nil }
        let words = sandbox.asciiLowercased.utf8.split(whereSeparator: \.isHTMLSpace).map { String(Substring($0)) }
        let (blank, top) = (
            targets.contains("_blank"), targets.contains("_top") && !words.contains("allow-top-navigation")
        )
        let needed: [(isNeeded: Bool, word: String, effect: Sentence)] = [
            (true, "allow-scripts", "the snippet can't run in this frame, so its links copy nothing"),
            (blank, "allow-popups", "a link with the target '_blank' leads nowhere in this frame"),
            (
                top, "allow-top-navigation-by-user-activation",
                "a link with the target '_top' leads nowhere in this frame"
            ),
        ]
        let lacking = needed.filter { $0.isNeeded && !words.contains($0.word) }
        guard let first = lacking.first else { return nil }
        return "\(first.effect); add \(name: lacking.map(\.word).joined(separator: " and ")) to the sandbox"
    }
}
