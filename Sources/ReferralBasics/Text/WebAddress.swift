/// Any address, absolute or relative, split into its parts. Nothing is decoded.
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
        let bytes = address.utf8
        let end = bytes.firstIndex(of: ASCII.hash) ?? bytes.endIndex
        let mark = bytes[..<end].firstIndex(of: ASCII.questionMark)
        fragment = address[end...]
        query = mark.map { address[$0..<end].dropFirst() }
        var rest = address[..<(mark ?? end)].utf8

        let name = rest.prefix { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
        let hasScheme = name.first.map(ASCII.isLetter) == true && rest[name.endIndex...].first == ASCII.colon
        scheme = hasScheme ? Substring(name) : nil
        if hasScheme { rest = rest[name.endIndex...].dropFirst() }
        let hasAuthority = rest.starts(with: "//".utf8)
        let host = rest.dropFirst(2).prefix { $0 != ASCII.slash }
        authority = hasAuthority ? Substring(host) : nil
        path = Substring(hasAuthority ? rest[host.endIndex...] : rest)
    }
}

extension WebAddress {
    /// The scheme, the host and the port, written in one way: the scheme and the host in lowercase ASCII letters, without the
    /// scheme's usual port. `nil` without a host, or with a user name or a port that isn't a number.
    package var site: [UInt8]? {
        guard let scheme, let authority = authority?.utf8, !authority.isEmpty, !authority.contains(ASCII.at) else {
            return nil
        }
        // The colons in an IPv6 address are in front of its bracket.
        let hostEnd = authority.lastIndex(of: ASCII.closeBracket) ?? authority.startIndex
        let portColon = authority[hostEnd...].firstIndex(of: ASCII.colon) ?? authority.endIndex
        let digits = authority[portColon...].dropFirst()
        guard digits.allSatisfy(ASCII.isDigit) else { return nil }

        let name = scheme.utf8.map(ASCII.lowercased)
        let usualPort = name == Array("https".utf8) ? "443" : name == Array("http".utf8) ? "80" : ""
        let number = digits.drop { $0 == UInt8(ascii: "0") }
        let site = name + "://".utf8 + authority[..<portColon].map(ASCII.lowercased)
        let isUsual = digits.isEmpty || !number.isEmpty && number.elementsEqual(usualPort.utf8)
        return isUsual ? site : site + [ASCII.colon] + number
    }

    /// The path in one spelling, in ASCII, for comparing.
    package var spelledPath: Substring { PercentEncoding.spelled(path)[...] }

    /// The items of the query, decoded as a form's.
    package var items: [(name: String, value: String)] {
        String(query ?? "").withUTF8Bytes { query in
            QueryItems(query[...]).map { (PercentEncoding.decodeForm($0.name), PercentEncoding.decodeForm($0.value)) }
        }
    }

    /// Whether there is an item `ed` with a value, as in a ``ReferralLink``.
    var hasPayload: Bool {
        String(query ?? "").withUTF8Bytes { QueryItems($0[...]).lastValue(named: "ed")?.isEmpty == false }
    }
}

extension Substring {
    /// The text without ASCII white space at its ends.
    package var trimmingWhiteSpace: Substring {
        var bytes = utf8.drop(while: ASCII.isWhiteSpace)
        while let last = bytes.last, ASCII.isWhiteSpace(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}
