extension InviteCode {
    /// Reads a code that a person typed or pasted, or finds it in a text such as an invitation from a chat.
    ///
    /// The first address that names a code counts: the address of a landing page, or a link to the App Store. Without one, the
    /// first valid code among the words counts. Full-width characters are read as their ASCII ones.
    ///
    /// - Parameters:
    ///   - text: The text that a person typed or pasted.
    ///   - referrerItem: The name of the query item with the code.
    /// - Throws: ``InviteCodeError``, for the code in the address, if the text is one, or else for the text.
    public init(pasting text: String, referrerItem: String = "ref") throws(InviteCodeError) {
        let text = Self.folded(text)
        let named = Self.referrer(in: text, item: referrerItem) ?? text
        do throws(InviteCodeError) { self = try InviteCode(named) } catch {
            guard let code = Self.code(inAddressOf: text, item: referrerItem) ?? Self.code(amongWordsOf: text) else {
                throw error
            }
            self = code
        }
    }

    /// The first item of an address with that name; `nil` if the text isn't an address with one.
    package static func referrer(in text: String, item: String) -> String? {
        let address = WebAddress(text)
        guard address.authority != nil, let query = address.query else { return nil }
        for pair in query.utf8.split(separator: ASCII.ampersand) {
            let parts = pair.split(separator: ASCII.equals, maxSplits: 1, omittingEmptySubsequences: false)
            if PercentEncoding.decodeForm(parts[0]).utf8.elementsEqual(item.utf8) {
                return parts.count == 2 ? PercentEncoding.decodeForm(parts[1]) : nil
            }
        }
        return nil
    }

    /// The text with ASCII characters instead of full-width ones, which East Asian keyboards write.
    static func folded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xFF01...0xFF5E: folded.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            case 0x3000: folded.append(" ")
            default: folded.append(scalar)
            }
        }
        return String(folded)
    }
}

// MARK: - In a text

private extension InviteCode {
    static func code(inAddressOf text: String, item: String) -> InviteCode? {
        text.withUTF8Bytes { bytes in
            for range in AddressSearch(bytes) {
                let address = String(decoding: bytes[range], as: UTF8.self)
                let link = try? ReferralLink(parsing: address)
                let referrer = referrer(in: address, item: item) ?? link?.referral.referrer
                if let referrer, let code = try? InviteCode(referrer) { return code }
            }
            return nil
        }
    }

    /// Consecutive symbols in a text, perhaps with hyphens or dots between them.
    struct Word {
        var symbols = ""
        var hasDigit = false
        var hasHyphen = false
        /// Whether a hyphen or a dot has come since the last symbol.
        var isInterrupted = false
        /// Whether only white space is between it and the word before.
        var isNext = false

        var isGroup: Bool { symbols.utf8.count == 4 && !hasHyphen }
    }

    /// The first valid code in a text outside its addresses: one word, or three of four symbols each. One in about a thousand words of
    /// twelve letters has the right check symbols, so there must be a digit, or a hyphen between the groups.
    static func code(amongWordsOf text: String) -> InviteCode? {
        var groups: [Word] = []
        for word in words(of: withoutAddresses(text)) {
            if word.hasDigit || word.hasHyphen, let code = try? InviteCode(word.symbols) { return code }
            groups = word.isGroup ? (word.isNext ? groups.suffix(2) : []) + [word] : []
            if groups.count == 3, groups.contains(where: \.hasDigit),
                let code = try? InviteCode(groups.map(\.symbols).joined())
            {
                return code
            }
        }
        return nil
    }

    static func words(of text: String) -> [Word] {
        var (words, word) = ([Word](), Word())
        func end(isNext: Bool) {
            let isAfterWord = !word.symbols.isEmpty || word.isNext
            if !word.symbols.isEmpty { words.append(word) }
            word = Word(isNext: isNext && isAfterWord)
        }
        for scalar in text.unicodeScalars {
            if CodeSymbols.symbol(scalar) != nil {
                word.hasDigit = word.hasDigit || "0"..."9" ~= scalar
                word.hasHyphen = word.hasHyphen || word.isInterrupted
                word.isInterrupted = false
                word.symbols.unicodeScalars.append(scalar)
            } else if scalar.properties.isWhitespace {
                end(isNext: true)
            } else if CodeSymbols.isSkipped(scalar) {
                word.isInterrupted = !word.symbols.isEmpty
            } else {
                end(isNext: false)
            }
        }
        end(isNext: false)
        return words
    }

    /// The text with a colon, which ends a word, for each address.
    static func withoutAddresses(_ text: String) -> String {
        text.withUTF8Bytes { bytes in
            var (rest, position) = ("", 0)
            for range in AddressSearch(bytes) {
                rest += String(decoding: bytes[position..<range.lowerBound], as: UTF8.self) + ":"
                position = range.upperBound
            }
            return rest + String(decoding: bytes[position...], as: UTF8.self)
        }
    }
}
