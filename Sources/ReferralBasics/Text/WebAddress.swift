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
    /// The scheme, the host and the port, written in one way: in lowercase ASCII letters, the host in Punycode, and without the scheme's
    /// usual port. `nil` without a host, or with a user name, an invalid host, or a port that isn't a number.
    package var site: String? {
        guard let scheme = scheme?.lowercased(), let authority else { return nil }
        // The colons in an IPv6 address are in front of its bracket.
        let bracket = authority.utf8.lastIndex(of: ASCII.closeBracket) ?? authority.startIndex
        let colon = authority.utf8[bracket...].firstIndex(of: ASCII.colon) ?? authority.endIndex
        let port = authority.utf8[colon...].dropFirst()
        guard let host = HostName.ascii(authority[..<colon]), port.allSatisfy(ASCII.isDigit) else { return nil }
        let number = String(Substring(port.drop { $0 == UInt8(ascii: "0") }))
        let isUsual = port.isEmpty || number == ["https": "443", "http": "80"][scheme]
        return "\(scheme)://\(host)" + (isUsual ? "" : ":\(number)")
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
