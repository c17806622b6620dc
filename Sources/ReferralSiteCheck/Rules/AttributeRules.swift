/// Problems with the names and values of the snippet's attributes.
enum AttributeRules {
    private static let names = ["data-referrer", "data-referrer-from"]

    static func misspelled(_ page: CheckedPage) -> [Rule.Problem] {
        page.links.flatMap(\.misspellings).map { attribute, meant in
            (attribute.offset, "the snippet doesn't know \(quoted: attribute.writtenName); write \(quoted: meant)")
        }
    }

    static func repeated(_ page: CheckedPage) -> [Rule.Problem] {
        page.links.map(\.element).flatMap { element in
            // A repeated value makes no difference.
            element.repeated.filter { ($0.name == "href" || isOurs($0)) && $0.value != element[$0.name]?.value }
        }
        .map { attribute in
            let message: Sentence =
                "this tag already has \(quoted: attribute.name), and only the first one counts; remove one of them"
            return (attribute.offset, message)
        }
    }

    static func capitals(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.flatMap(\.parameters).compactMap { attribute in
            let written = attribute.writtenName
            // A name in all capitals is a style, and nobody expects a parameter with that name.
            guard !page.page.isXML, attribute.name.hasPrefix("data-referral-"), written != attribute.name,
                written.utf8.contains(where: { $0.isLetter && $0 == $0.lowercased })
            else { return nil }
            let message: Sentence =
                "HTML reads \(quoted: written) in lowercase; write a dash and a lowercase letter for each capital: "
                + "data-referral-level-set is the parameter levelSet"
            return (attribute.offset, message)
        }
    }

    static func foreign(_ page: CheckedPage) -> [Rule.Problem] {
        page.foreignAttribute.map { attribute in
            let message: Sentence =
                "\(quoted: attribute.writtenName) was not checked: this page has neither the snippet nor a link to the store "
                + "with a referrer; add them if the attribute is meant for the snippet"
            return [(attribute.offset, message)]
        } ?? []
    }

    static func curlyQuotes(_ page: CheckedPage) -> [Rule.Problem] {
        page.links.flatMap { link in link.element.attributes.filter { isOurs($0) || $0.name == "href" } }
            .filter(hasCurlyQuotes)
            .map { attribute in
                let message: Sentence =
                    "the curly quotation marks are a part of the value of \(quoted: attribute.name); write straight ones: "
                    + "\(name: attribute.name)=\"…\""
                return (attribute.offset, message)
            }
    }

    /// Whether a value without straight quotation marks begins or ends with curly ones.
    static func hasCurlyQuotes(_ attribute: HTMLElement.Attribute) -> Bool {
        let text = attribute.value.unicodeScalars
        return !attribute.isQuoted
            && [text.first, text.last].contains { $0.map("“”„‟‘’‚‛«»".unicodeScalars.contains) ?? false }
    }

    static func whiteSpace(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.flatMap { link in
            (link.parameters + names.compactMap { link.element[$0] }).filter { attribute in
                let text = attribute.value.unicodeScalars
                return [text.first, text.last].contains { $0.map(isInvisible) ?? false }
            }
        }
        .map { attribute in
            let message: Sentence =
                "the value of \(quoted: attribute.name) begins or ends with white space, which is a part of it; remove that"
            return (attribute.offset, message)
        }
    }

    static func everywhere(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.compactMap { link in
            guard let attribute = link.element["data-referral-on"], attribute.value != "all" else { return nil }
            let message: Sentence =
                "data-referral-on=\(quoted: attribute.value) has no effect; write data-referral-on=\"all\" or remove it"
            return (attribute.offset, message)
        }
    }

    static func queryName(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.compactMap { link in
            guard let attribute = link.element["data-referrer-from"],
                attribute.value.contains(where: { "?&=#".contains($0) })
            else { return nil }
            let message: Sentence =
                "data-referrer-from is the name of an item in the page's address, such as ref for ?ref=alice; "
                + "\(quoted: attribute.value) is never one"
            return (attribute.offset, message)
        }
    }

    static func isOurs(_ attribute: HTMLElement.Attribute) -> Bool {
        names.contains(attribute.name) || attribute.name.hasPrefix("data-referral-")
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }
}
