/// The address to which a landing page reports views and taps: a path of the same site, or an https address.
struct CountAddress {
    let text: String
    /// The source that allows the address in a page's policy.
    let source: String

    /// `nil` for any other text. A browser would read `//` or a backslash at the beginning as a host.
    @Sendable init?(_ text: String) {
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"#\\".utf8.contains($0) }) else { return nil }
        self.text = text
        let address = WebAddress(text)
        let isHost = address.authority?.utf8.allSatisfy {
            ASCII.isLetter($0) || ASCII.isDigit($0) || "-.:".utf8.contains($0)
        }
        if address.scheme == nil, address.authority == nil, text.utf8.first == ASCII.slash {
            source = "'self'"
        } else if address.scheme == "https", isHost == true, address.site != nil, let authority = address.authority,
            authority.first != ":", authority.last != ":"
        {
            source = "https://\(authority)"
        } else {
            return nil
        }
    }
}
