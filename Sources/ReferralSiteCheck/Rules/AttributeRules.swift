extension Rule {
    /// Problems with the names of the snippet's attributes.
    static let attributes = [
        Rule("other-attributes", "a note: attributes that are probably another script's") { page in
            page.foreignAttribute.map { attribute in
                let message: Sentence =
                    "\(quoted: attribute.writtenName) was not checked: this page has neither the snippet nor a link to the "
                    + "store with a referrer; add them if the attribute is meant for the snippet"
                return [Problem(attribute.offset, message, isNote: true)]
            } ?? []
        },
        Rule("misspelled", "an attribute such as data-referer, which the snippet doesn't know") { page in
            page.links.flatMap(\.misspellings).map { attribute, meant in
                let message: Sentence =
                    "the snippet doesn't know \(quoted: attribute.writtenName); write \(quoted: meant)"
                return Problem(attribute.offset, message)
            }
        },
        Rule("repeated", "a second href, referrer or parameter of the same name") { page in
            page.links.map(\.element).flatMap { element in
                // A repeated value makes no difference.
                element.repeated.filter { ($0.name == "href" || $0.isOurs) && $0.value != element[$0.name]?.value }
            }
            .map { attribute in
                let message: Sentence =
                    "this tag already has \(quoted: attribute.name), and only the first one counts; remove one of them"
                return Problem(attribute.offset, message)
            }
        },
    ]

    /// Problems with the values of the snippet's attributes.
    static let values = [
        Rule("white-space", "white space around a referrer or a parameter") { page in
            page.referrerLinks.flatMap { link in
                (link.parameters + HTMLElement.Attribute.referrers.compactMap { link.element[$0] })
                    .filter(\.isSurroundedByWhiteSpace)
            }
            .map { attribute in
                let message: Sentence =
                    "the value of \(quoted: attribute.name) begins or ends with white space, which is a part of it; remove that"
                return Problem(attribute.offset, message)
            }
        },
        Rule("curly-quotes", "curly quotation marks around a value, which belong to it") { page in
            page.links.flatMap(\.element.attributes).filter { ($0.isOurs || $0.name == "href") && $0.hasCurlyQuotes }
                .map { attribute in
                    let message: Sentence =
                        "the curly quotation marks are a part of the value of \(quoted: attribute.name); "
                        + "write straight ones: \(name: attribute.name)=\"…\""
                    return Problem(attribute.offset, message)
                }
        },
        Rule("referrer-from", "a data-referrer-from that is not the name of an item") { link, _ in
            guard let attribute = link.element["data-referrer-from"],
                attribute.value.contains(where: { "?&=#".contains($0) })
            else { return nil }
            let message: Sentence =
                "data-referrer-from is the name of an item in the page's address, such as ref for ?ref=alice; "
                + "\(quoted: attribute.value) is never one"
            return Problem(attribute.offset, message)
        },
        Rule("referral-on", "a data-referral-on other than all") { link, _ in
            guard let attribute = link.element["data-referral-on"], attribute.value != "all" else { return nil }
            let message: Sentence =
                "data-referral-on=\(quoted: attribute.value) has no effect; write data-referral-on=\"all\" or remove it"
            return Problem(attribute.offset, message)
        },
    ]
}

extension HTMLElement.Attribute {
    static let referrers = ["data-referrer", "data-referrer-from"]

    /// Whether the snippet reads the attribute.
    var isOurs: Bool { Self.referrers.contains(name) || name.hasPrefix("data-referral-") }

    /// Whether a value without straight quotation marks begins or ends with curly ones.
    var hasCurlyQuotes: Bool {
        !isQuoted && isSurrounded { "“”„‟‘’‚‛«»".unicodeScalars.contains($0) }
    }

    fileprivate var isSurroundedByWhiteSpace: Bool {
        isSurrounded { $0.properties.isWhitespace || $0.properties.generalCategory == .format }
    }

    /// Whether the value begins or ends with a character of some kind.
    private func isSurrounded(by isMark: (Unicode.Scalar) -> Bool) -> Bool {
        [value.unicodeScalars.first, value.unicodeScalars.last].contains { $0.map(isMark) ?? false }
    }
}
