/// The schemes of addresses that open an app.
package enum AppScheme {
    /// The schemes that the system opens itself.
    package static let systemSchemes: Set<String> = [
        "about", "app-settings", "appclip", "applenews", "blob", "calshow", "data", "facetime", "facetime-audio",
        "file", "ftp", "http", "https", "ibooks", "itms", "itms-apps", "itms-appss", "itms-services", "itmss",
        "javascript", "mailto", "maps", "message", "music", "photos-redirect", "podcast", "prefs", "shortcuts", "sms",
        "tel", "videos", "webcal",
    ]

    /// The entitlements of apps that may be the default for a scheme, and then have to register it.
    static let entitlements = [
        "mailto": "com.apple.developer.mail-client",
        "http": "com.apple.developer.web-browser",
        "https": "com.apple.developer.web-browser",
    ]

    /// The problem with the name of an app's own scheme; `nil` if there is none, or if it is a variable of Xcode's.
    static func problem(of name: String) -> Sentence? {
        guard AppFiles.Identity.known(name) != nil || name.isEmpty else { return nil }
        if systemSchemes.contains(name.asciiLowercased) {
            return "\(quoted: name) is the system's; choose a scheme that begins with the app's name"
        }
        if isValid(name) { return nil }
        let form: Sentence =
            name.utf8.first.map(ASCII.isLetter) == true
            ? "it has letters, digits, +, - and . only, and no colon" : "it begins with a letter"
        return "\(quoted: name) isn't a scheme; \(form)"
    }

    /// Whether a text is the name of a scheme.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.first.map(ASCII.isLetter) == true
            && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }
}
