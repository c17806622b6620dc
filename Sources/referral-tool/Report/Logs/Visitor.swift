/// Who sent a request, by the form of its user agent.
enum Visitor {
    case person, robot, preview

    /// Words in the agents of robots that claim to be a browser.
    private static let robots = [
        "bot", "crawl", "spider", "preview", "headless", "externalhit", "imageproxy", "lighthouse", "archive", "scan",
    ]

    /// Programs that fetch a page to show what a link leads to.
    private static let previews = [
        "preview", "externalhit", "facebot", "twitterbot", "whatsapp", "telegram", "slack", "discord", "linkedinbot",
        "viber", "onebox",
        "unfurl", "embed", "iframely", "pinterest", "redditbot", "mastodon", "line-poker", "vkshare", "imageproxy",
    ]

    /// Classifies the agent of a request by its ASCII: a text of many marks would take long. An empty one is a robot's.
    init(agent: Bytes) {
        let text = String(decoding: agent.map { $0 < 0x80 ? $0 : ASCII.space }, as: UTF8.self).lowercased()
        let isCompatible = text.contains("compatible;") && !text.contains("msie") && !text.contains("trident")
        // Cubot is a brand of telephones.
        let words = text.replacing("cubot", with: "")
        let isBrowser = text.hasPrefix("mozilla/") || text.hasPrefix("opera/")
        guard
            !isBrowser || isCompatible || text.contains("http://") || text.contains("https://")
                || Self.robots.contains(where: words.contains)
        else {
            self = .person
            return
        }
        self = Self.previews.contains(where: words.contains) ? .preview : .robot
    }
}
