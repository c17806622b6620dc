extension InviteCode {
    /// Reads a code that a person typed or pasted, or finds it in an address, such as that of an invitation from a chat.
    ///
    /// The first address in the text that names a code counts: the address of a landing page, also in the last part of its path, or
    /// a link to the App Store.
    ///
    /// - Parameters:
    ///   - text: The text that a person typed or pasted.
    ///   - referrerItem: The name of the query item with the code.
    /// - Throws: ``InviteCodeError``, for the first address with a referrer, or else for the text.
    public init(pasting text: String, referrerItem: String = "via") throws(InviteCodeError) {
        let addresses = text.withUTF8Bytes { bytes in
            AddressSearch(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        // As the app reads an address, it may have no scheme.
        let words = text.utf8.split(whereSeparator: ASCII.isWhiteSpace).filter { $0.contains(ASCII.slash) }
        let all = addresses + words.map { String(Substring($0)) }
        let referrers = all.compactMap { Self.referrer(in: $0, item: referrerItem) }
        let code = referrers.lazy.compactMap { try? InviteCode($0) }.first
        if let code { self = code } else { self = try InviteCode(referrers.first ?? text) }
    }

    private static func referrer(in address: String, item: String) -> String? {
        let parts = WebAddress(address)
        let item = parts.items.first { $0.name.utf8.elementsEqual(item.utf8) }
        let named = item?.value ?? (try? ReferralLink(address))?.referral.referrer
        let last = parts.path.utf8.split(separator: ASCII.slash).last.map { PercentEncoding.decode($0) }
        return [named, last].compactMap(\.self).first { (try? InviteCode($0)) != nil } ?? named
    }
}

// MARK: - While a person types

extension InviteCode {
    /// The code in groups of spelled symbols, for VoiceOver: `4 F 7 K, 9 Q 2 M, X R K Q`.
    package var spelled: String {
        text.split(separator: "-").map { $0.map(String.init).joined(separator: " ") }.joined(separator: ", ")
    }

    /// Formats what a person has typed so far: in upper case, with hyphens after the fourth and the eighth symbol.
    ///
    /// A text field moves its caret to the end of a text that it is given, so a text that was changed elsewhere stays as it is. An
    /// address with a code becomes the code wherever it was pasted. A text with other characters, or with too many, remains
    /// unchanged, so that the person sees them.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - earlier: The text before the last change.
    ///   - referrerItem: The query item with the code, in an address.
    /// - Returns: The text that the field shows.
    package static func formatted(_ text: String, after earlier: String = "", referrerItem: String = "via") -> String {
        var symbols: [UInt8] = []
        for scalar in text.unicodeScalars where !isSkipped(scalar) && !scalar.properties.isWhitespace {
            guard symbols.count < symbolCount, let symbol = symbol(scalar) else {
                return (try? InviteCode(pasting: text, referrerItem: referrerItem))?.text ?? text
            }
            symbols.append(symbol)
        }
        return text.hasPrefix(earlier) || earlier.hasPrefix(text) ? written(symbols) : text
    }
}
