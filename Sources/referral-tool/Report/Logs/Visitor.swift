/// Who sent a request, by the form of the user agent.
enum Visitor {
    /// Words in the agents of robots, and of programs that show what a link leads to, that claim to be a browser.
    private static let words: [StaticString] = [
        "bot", "crawl", "spider", "preview", "headless", "externalhit", "imageproxy", "lighthouse", "archive", "scan",
    ]

    static func isRobot(_ agent: Bytes) -> Bool {
        agent.map(ASCII.lowercased).withUnsafeBufferPointer { text in
            func has(_ words: StaticString...) -> Bool { words.contains { text.firstIndex(of: $0) != nil } }
            let isBrowser = text.holds("mozilla/", at: 0) || text.holds("opera/", at: 0)
            let isCompatible = has("compatible;") && !has("msie", "trident")
            // Cubot is a brand of telephones.
            let words = Self.words.dropFirst(has("cubot") ? 1 : 0)
            return !isBrowser || isCompatible || has("http://", "https://") || words.contains { has($0) }
        }
    }
}
