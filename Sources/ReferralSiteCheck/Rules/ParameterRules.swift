extension Rule {
    private static let prefix = "data-referral-"

    /// Problems with a link's parameters.
    @RuleList static var parameters: [Rule] {
        Rule("reserved-parameter", "a parameter called timestamp or referrer", \.parameters) { attribute, _ in
            let name = String(attribute.name.dropFirst(prefix.count))
            guard Referral.reservedParameterNames.contains(name) else { return nil }
            return "a parameter can't be called \(name: name), the name of a member of every payload; "
                + (name == "referrer" ? "write data-referrer" : "rename the parameter")
        }
        Rule("parameter-name", "an attribute that makes no parameter", \.parameters) { attribute, _ in
            let name = attribute.name.hasPrefix(prefix) ? String(attribute.name.dropFirst(prefix.count)) : ""
            if name.utf8.first.map(ASCII.isLetter) == true { return nil }
            return
                "\(quoted: attribute.name) makes no parameter; after data-referral- comes a letter, as in data-referral-pack"
        }
        Rule("capitals", "a capital letter in a parameter's name, which HTML reads in lowercase", \.parameters) {
            attribute,
            page in
            let written = attribute.writtenName
            // A name in all capitals is a style, and nobody expects a parameter with that name.
            guard !page.page.isXML, attribute.name.hasPrefix(prefix), written != attribute.name,
                written.utf8.contains(where: { ASCII.isLetter($0) && $0 == ASCII.lowercased($0) })
            else { return nil }
            return "HTML reads \(quoted: written) in lowercase; write a dash and a lowercase letter for each capital: "
                + "data-referral-level-set is the parameter levelSet"
        }
        Rule("lost-parameter", "a parameter on a link without a referrer") { page in
            // A misspelled referrer is a separate problem.
            page.links.filter { link in
                !link.hasReferrerAttribute && link.element.isLink
                    && !link.misspellings.contains { $0.meant.hasPrefix("data-referrer") }
            }
            .compactMap { $0.element.attributes.first { $0.name.hasPrefix(prefix) } }
        } message: { attribute, _ in
            "\(quoted: attribute.name) has no effect on a link without a referrer; add data-referrer"
        }
        Rule("signature", "a malformed signature or until, or no referrer for them") { page in
            page.referrerLinks.flatMap { link -> [Problem] in
                guard let signature = link.element[prefix + Referral.signatureName] else { return [] }
                let end = link.element[prefix + Referral.endName]
                let problems: [(HTMLElement.Attribute, Sentence)?] = [
                    link.element["data-referrer"]?.value.isEmpty != false
                        ? (signature, "is for one referrer, and this link has none of its own; add data-referrer")
                        : nil,
                    Referral.signature(signature.value) == nil
                        ? (signature, "isn't a signature, which has 86 characters of base64url; sign the link again")
                        : nil,
                    end.flatMap { end in
                        Referral.campaignEnd(end.value) == nil
                            ? (end, "isn't a time in Unix milliseconds of 12 to 16 digits; sign the link again") : nil
                    },
                ]
                return problems.compactMap(\.self).map { Problem($0.offset, "\(name: $0.name) \($1)") }
            }
        }
    }
}
