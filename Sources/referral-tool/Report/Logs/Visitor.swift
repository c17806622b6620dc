/// Who sent a request, by its user agent.
enum Visitor {
    case person, robot, preview

    /// Programs that fetch a page to show what a link leads to. Messages on Apple's systems use the first two names.
    private static let previews = [
        "facebookexternalhit", "facebot", "twitterbot", "whatsapp/", "telegrambot", "slackbot", "slack-imgproxy",
        "discordbot",
        "linkedinbot", "skypeuripreview", "pinterestbot", "redditbot", "mastodon/", "pleroma", "misskey", "cardyb",
        "line-poker",
        "vkshare", "embedly", "iframely", "google-pagerenderer", "snap url preview", "microsoftpreview", "linkpreview",
        "link preview", "meta-externalfetcher",
    ]

    private static let robots = [
        "bot", "crawl", "spider", "slurp", "curl/", "wget/", "python-", "aiohttp", "headless", "lighthouse", "uptime",
        "pingdom",
        "statuscake", "site24x7", "http-client", "httpclient", "go-http", "okhttp", "java/", "libwww", "axios/",
        "node-fetch",
        "undici", "scrapy", "phantomjs", "archive.org", "feedfetcher", "feedly", "validator", "masscan", "zgrab",
        "nuclei", "nikto",
        "nmap", "bingpreview", "mediapartners", "google-read-aloud", "google-inspectiontool", "googleother",
        "apis-google",
        "semrush", "cfnetwork", "meta-externalagent", "openai", "anthropic", "perplexity", "expanse", "censys",
    ]

    /// A brand of telephones, in whose name there is a robot.
    private static let telephone = "cubot"

    /// Classifies a user agent; `nil` is one that the log doesn't have. A browser always sends one.
    init(agent: Bytes?) {
        guard let agent else {
            self = .person
            return
        }
        let text = agent.map(ASCII.lowercased)
        self = text.withUnsafeBufferPointer { text in
            let telephones = Self.telephone.withUTF8Bytes { text.count(of: $0) }
            func names(_ names: [String]) -> Bool {
                names.contains { name in
                    name.withUTF8Bytes { text.count(of: $0) } > (name == "bot" ? telephones : 0)
                }
            }
            if text.isEmpty || text.elementsEqual("-".utf8) { return .robot }
            return names(Self.previews) ? .preview : names(Self.robots) ? .robot : .person
        }
    }
}

private extension Bytes {
    /// How often a text occurs.
    func count(of other: Bytes) -> Int {
        guard let first = other.first else { return 0 }
        var (position, found) = (0, 0)
        while position + other.count <= count,
            let start = firstIndex(of: first, in: position..<count - other.count + 1)
        {
            if holds(other, at: start) { found += 1 }
            position = start + 1
        }
        return found
    }
}
