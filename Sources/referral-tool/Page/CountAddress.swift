/// The address to which a landing page reports views and taps: a path of the same site, or an https address.
struct CountAddress {
    let text: String
    /// The source that allows the address in a page's policy.
    let source: String

    /// `nil` for any other text. A browser would read `//` or a backslash at the beginning as a host.
    @Sendable init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"#\\".utf8.contains($0) }
        guard isPlain else { return nil }
        self.text = text
        if text.utf8.first == ASCII.slash, !text.utf8.starts(with: "//".utf8) {
            source = "'self'"
            return
        }
        let address = WebAddress(text)
        guard address.scheme == "https", let authority = address.authority, Self.isHost(authority) else { return nil }
        source = "https://\(authority)"
    }

    /// A name such as `example.com`, with a port or without.
    private static func isHost(_ authority: Substring) -> Bool {
        let parts = authority.utf8.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2 else { return false }
        let isName = host.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.period || $0 == ASCII.dash
        }
        return isName && parts.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }
    }
}
