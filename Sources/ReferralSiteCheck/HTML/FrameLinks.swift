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
        let top = "allow-top-navigation"
        let lacking: [(word: String, effect: Sentence)] = [
            ("allow-scripts", "the snippet can't run in this frame, so its links copy nothing"),
            ("allow-popups", "a link with the target '_blank' leads nowhere in this frame"),
            ("\(top)-by-user-activation", "a link with the target '_top' leads nowhere in this frame"),
        ]
        .filter { word, _ in
            switch word {
            case "allow-popups": targets.contains("_blank") && !words.contains(word)
            case "allow-scripts": !words.contains(word)
            default: targets.contains("_top") && !words.contains(word) && !words.contains(top)
            }
        }
        guard let first = lacking.first else { return nil }
        return "\(first.effect); add \(name: lacking.map(\.word).joined(separator: " and ")) to the sandbox"
    }
}
