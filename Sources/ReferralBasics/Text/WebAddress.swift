/// Any address, absolute or relative, split into its parts. Nothing is decoded.
///
/// The library's `StoreAddress` reads only links to the App Store.
package struct WebAddress {
    /// The text before `:`; `nil` for a relative address.
    package let scheme: Substring?

    /// The host and its port; `nil` without `//`.
    package let authority: Substring?

    package let path: Substring

    /// The text between `?` and the fragment.
    package let query: Substring?

    /// The text from `#` to the end.
    package let fragment: Substring

    package init(_ address: String) {
        var rest = address.utf8[...]
        let fragment = rest.firstIndex(of: ASCII.hash) ?? rest.endIndex
        self.fragment = Substring(rest[fragment...])
        rest = rest[..<fragment]
        let query = rest.firstIndex(of: ASCII.questionMark)
        self.query = query.map { Substring(rest[$0...].dropFirst()) }
        rest = rest[..<(query ?? rest.endIndex)]

        let scheme = rest.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
        let hasScheme = scheme.first.map(ASCII.isLetter) == true && rest[scheme.endIndex...].first == ASCII.colon
        self.scheme = hasScheme ? Substring(scheme) : nil
        if hasScheme { rest = rest[scheme.endIndex...].dropFirst() }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != ASCII.slash }
            self.authority = Substring(authority)
            rest = rest[authority.endIndex...]
        } else {
            authority = nil
        }
        path = Substring(rest)
    }
}
