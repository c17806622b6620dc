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

    /// Whether a text is the name of a scheme.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.first.map(ASCII.isLetter) == true
            && text.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
    }
}
