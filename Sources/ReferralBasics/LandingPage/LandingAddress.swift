/// An address of any scheme, split into the parts by which landing pages are found. Nothing is decoded.
package struct LandingAddress {
    /// The scheme, the host and the port, written in one way; the scheme and the host in lowercase ASCII letters.
    package let site: [UInt8]
    let path: [UInt8]
    let query: [UInt8]

    /// Returns `nil` for an address without a host, or with a user name or a port that isn't a number.
    package init?(_ address: String) {
        let parts = WebAddress(address)
        guard let scheme = parts.scheme, let authority = parts.authority?.utf8, !authority.isEmpty,
            !authority.contains(ASCII.at)
        else { return nil }
        // The colons in an IPv6 address are in front of its bracket.
        let hostEnd = authority.lastIndex(of: ASCII.closeBracket) ?? authority.startIndex
        let portColon = authority[hostEnd...].firstIndex(of: ASCII.colon) ?? authority.endIndex
        let digits = authority[portColon...].dropFirst()
        guard digits.allSatisfy(ASCII.isDigit) else { return nil }

        var site = scheme.utf8.map(ASCII.lowercased)
        let defaultPort = site == Array("https".utf8) ? "443" : site == Array("http".utf8) ? "80" : ""
        let number = digits.drop { $0 == UInt8(ascii: "0") }
        site += "://".utf8
        site += authority[..<portColon].map(ASCII.lowercased)
        if !digits.isEmpty, !number.elementsEqual(defaultPort.utf8) || number.isEmpty {
            site.append(ASCII.colon)
            site += number
        }
        self.site = site
        path = Array(parts.path.utf8)
        query = Array((parts.query ?? "").utf8)
    }

    /// Whether there is an item `ed` with a value, as in a ``ReferralLink``.
    package var hasPayload: Bool {
        query.withUnsafeBufferPointer { QueryItems($0[...]).lastValue(named: "ed").map { !$0.isEmpty } ?? false }
    }

    /// The path without one slash at its end.
    var pathWithoutLastSlash: ArraySlice<UInt8> { path.last == ASCII.slash ? path.dropLast() : path[...] }
}

extension Substring {
    /// The text without ASCII white space at its ends.
    package var trimmingWhiteSpace: Substring {
        var bytes = utf8
        bytes = bytes.drop(while: ASCII.isWhiteSpace)
        while let last = bytes.last, ASCII.isWhiteSpace(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}
