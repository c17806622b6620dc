extension Rule {
    /// Problems with the names of the snippet's attributes.
    @RuleList static var attributes: [Rule] {
        Rule("other-attributes", "a note: attributes that are probably another script's", isNote: true) {
            [$0.foreignAttribute].compactMap(\.self)
        } message: { attribute, _ in
            "\(quoted: attribute.writtenName) was not checked: this page has neither the snippet nor a link to the "
                + "store with a referrer; add them if the attribute is meant for the snippet"
        }
        Rule("misspelled", "an attribute such as data-referer, which the snippet doesn't know") { page in
            page.links.flatMap(\.misspellings).map { attribute, meant in
                let written = attribute.writtenName
                return Problem(attribute.offset, "the snippet doesn't know \(quoted: written); write \(quoted: meant)")
            }
        }
        Rule("repeated", "a second href, referrer or parameter of the same name") { page in
            page.links.map(\.element).flatMap { element in
                // A repeated value makes no difference.
                element.repeated.filter { ($0.name == "href" || $0.isOurs) && $0.value != element[$0.name]?.value }
            }
        } message: { attribute, _ in
            "this tag already has \(quoted: attribute.name), and only the first one counts; remove one of them"
        }
    }

    /// Problems with the values of the snippet's attributes.
    @RuleList static var values: [Rule] {
        Rule("white-space", "white space around a referrer or a parameter") { page in
            let referrers = HTMLElement.Attribute.referrers.flatMap { page[$0] }
            return (page.parameters + referrers).filter(\.isSurroundedByWhiteSpace)
        } message: { attribute, _ in
            "the value of \(quoted: attribute.name) begins or ends with white space, which is a part of it; remove that"
        }
        Rule("curly-quotes", "curly quotation marks around a value, which belong to it") {
            $0.links.flatMap(\.element.attributes).filter { ($0.isOurs || $0.name == "href") && $0.hasCurlyQuotes }
        } message: { attribute, _ in
            let name = attribute.name
            return "curly quotes are a part of the value of \(quoted: name); write straight ones: \(name: name)=\"…\""
        }
        Rule("referrer-from", "a data-referrer-from that is not the name of an item", { $0["data-referrer-from"] }) {
            attribute,
            _ in
            let isItem = LandingPage.isPath(attribute.value) || !attribute.value.contains { "?&=#/".contains($0) }
            if isItem { return nil }
            return "\(quoted: attribute.value) is never the name of an item in an address, such as via for ?via=alice"
        }
    }
}

extension HTMLElement.Attribute {
    static let referrers = ["data-referrer", "data-referrer-from"]

    /// Whether the snippet reads the attribute.
    var isOurs: Bool { Self.referrers.contains(name) || name.hasPrefix("data-referral-") }

    /// Whether a value without straight quotation marks begins or ends with curly ones.
    var hasCurlyQuotes: Bool { !isQuoted && isSurrounded { "“”„‟‘’‚‛«»".unicodeScalars.contains($0) } }

    fileprivate var isSurroundedByWhiteSpace: Bool {
        isSurrounded { $0.properties.isWhitespace || $0.properties.generalCategory == .format }
    }

    /// Whether the value begins or ends with a character of some kind.
    private func isSurrounded(by isMark: (Unicode.Scalar) -> Bool) -> Bool {
        [value.unicodeScalars.first, value.unicodeScalars.last].contains { $0.map(isMark) ?? false }
    }
}
