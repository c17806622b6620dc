/// The content of a page's meta element `apple-itunes-app`: Safari's banner for the app, or the card of its App Clip.
package enum SmartAppBanner {
    /// What a tap on a banner does, for messages and help.
    package static let effect: Sentence =
        "a tap on this banner copies nothing: without the app, it leads to the App Store, and the download has no referrer"

    /// The content, not escaped, for an app's number in the App Store, the bundle identifier of its App Clip, and the address
    /// that the app receives.
    package static func content(appID: String, clip: String? = nil, argument: String? = nil) -> String {
        var parts = ["app-id=\(appID)"]
        if let clip { parts += ["app-clip-bundle-id=\(clip)", "app-clip-display=card"] }
        // A comma would end it.
        if let argument {
            let pieces = argument.split(separator: ",", omittingEmptySubsequences: false)
            parts.append("app-argument=" + pieces.joined(separator: "%2C"))
        }
        return parts.joined(separator: ", ")
    }

    /// The values in a banner's content, by their names in lowercase. If a name is repeated, the first one counts.
    static func items(_ content: String) -> [String: String] {
        var items: [String: String] = [:]
        for item in content.utf8.split(separator: ASCII.comma) {
            let parts = item.split(separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(Substring($0)).trimmed }
            let name = parts[0].asciiLowercased
            if items[name] == nil { items[name] = parts[parts.count - 1] }
        }
        return items
    }

    /// The app in `app-id=1300230302, app-argument=…`.
    static func appID(_ content: String) -> AppID? { items(content)["app-id"].flatMap { AppID($0) } }
}
