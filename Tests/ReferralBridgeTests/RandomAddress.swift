import SimulatedRuntime

/// Addresses of a landing page as people, programs and strangers write them.
enum RandomAddress {
    static func make(_ random: inout SeededGenerator) -> String {
        let pages = [
            "https://example.com/get", "https://example.com/get/", "HTTPS://Example.COM:443/get",
            "https://bücher.example/get", "https://xn--bcher-kva.example/get",
        ]
        var address = Int.random(in: 0..<4, using: &random) == 0 ? pick(pages, &random) : pages[0]
        address += "?"
        for index in 0..<Int.random(in: 0...7, using: &random) {
            if index > 0 { address += pick(separators, &random) }
            let name = index == 0 && Bool.random(using: &random) ? "ref" : pick(names, &random)
            address += name
            guard Int.random(in: 0..<15, using: &random) != 0 else { continue }
            address += "=" + (name == "sig" && Bool.random(using: &random) ? signature(&random) : value(&random))
        }
        for _ in 0..<max(0, Int.random(in: -3...2, using: &random)) { address += pick(marks, &random) }
        return address + pick(fragments, &random)
    }

    private static func value(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<1_000, using: &random) {
        case 0..<5: String(repeating: "a", count: pick([2_000, 6_080, 6_150, 8_192, 70_000], &random))
        case 5..<10: String(repeating: "é%C3%A9", count: pick([700, 1_500], &random))
        case 10..<300: pick(["anna", "gold", "/boards/42", "1798761600000"], &random)
        default: (0..<Int.random(in: 0...6, using: &random)).map { _ in pick(pieces, &random) }.joined()
        }
    }

    private static func signature(_ random: inout SeededGenerator) -> String {
        let length = pick([63, 64, 86, 86, 86, 86, 86, 86, 128, 129], &random)
        let digits = pick(["A-", "A-", "A-", "Aa", "0f", "_", "Ñ"], &random)
        let text = String(String(repeating: digits, count: 129).prefix(length))
        return text
            + (0..<max(0, Int.random(in: -2...2, using: &random))).map { _ in pick(marks, &random) }
            .joined()
    }

    private static func pick<Element>(_ list: [Element], _ random: inout SeededGenerator) -> Element {
        list[Int.random(in: list.indices, using: &random)]
    }

    private static let separators = ["&", "&", "&", "&", "&", "&", "&&", "&amp;", ";", "?", "&?"]
    private static let names = [
        "ref", "ref", "ref", "ref", "sig", "sig", "sig", "sig", "sig", "sig", "open", "open", "pack", "pack", "ed",
        "ct", "pt", "lang",
        "until", "on",
        "timestamp", "referrer", "Ref", "SIG", "Open", "re%66", "s%69g", "%6Fpen", "p%61ck", "a.b_1", "a-b", "aB",
        "constructor",
        "__proto__", "toString", "sig%00", "+ref", "ref+", "é", "ref[]", "",
    ]
    private static let pieces =
        [
            "a", "Z", "0", "_", "-", "~", "+", "%2B", "%2b", "%20", " ", "%", "%%", "%4", "%zz", "%G1", "%41", "%26",
            "%3D", "%23", "=",
            "%00", "%0A", "%C3%A9", "%C3", "%A9", "%E2%80", "%E2%80%AE", "%F0%9F%98%80", "%F0%9F", "%ED%A0%80",
            "%C0%AF", "%F4%90%80%80",
            "%FF", "%EF%BB%BF", "\u{FEFF}", "é", "e\u{301}", "ß", "שלום", "日本", "😀", "👩‍👩‍👧", "\u{202E}", "\u{2066}",
            "\u{200B}", "\u{85}",
            "\u{A0}", "\u{2028}", "\"", "'", "%22", "%27",
        ] + marks
    private static let marks = [
        ".", ",", ";", ":", "!", "?", "(", ")", "[", "]", "{", "}", "<", ">", "|", "\\", "^", "`", "*", "/", "@", "$",
        "…", "”", "。", "»",
        "&amp;", "%29", "%5D", "%E2%80%A6", "==", "-", "_", "¡", "€",
    ]
    private static let fragments = ["", "", "", "", "", "#", "#x", "#ref=eve", "#?ref=eve&sig=x", "#a#b"]
}
