/// Who sent a request, by the form of its user agent.
enum Visitor {
    case person, robot, preview

    /// Words in the agents of robots that claim to be a browser.
    private static let robots: [StaticString] = [
        "bot", "crawl", "spider", "preview", "headless", "externalhit", "imageproxy", "lighthouse", "archive", "scan",
    ]

    /// Programs that fetch a page to show what a link leads to.
    private static let previews: [StaticString] = [
        "preview", "externalhit", "facebot", "twitterbot", "whatsapp", "telegram", "slack", "discord", "linkedinbot",
        "viber", "onebox", "unfurl", "embed", "iframely", "pinterest", "redditbot", "mastodon", "line-poker", "vkshare",
        "imageproxy",
    ]

    init(agent: Bytes) {
        self = agent.map(ASCII.lowercased).withUnsafeBufferPointer { text in
            func has(_ words: StaticString...) -> Bool { words.contains { text.firstIndex(of: $0) != nil } }
            let isBrowser = text.holds("mozilla/", at: 0) || text.holds("opera/", at: 0)
            let isCompatible = has("compatible;") && !has("msie", "trident")
            // Cubot is a brand of telephones.
            let words = Self.robots.dropFirst(has("cubot") ? 1 : 0)
            let isRobot = !isBrowser || isCompatible || has("http://", "https://") || words.contains { has($0) }
            return !isRobot ? .person : Self.previews.contains { has($0) } ? .preview : .robot
        }
    }
}
