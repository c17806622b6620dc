/// Problems with a link's parameters.
enum ParameterRules {
    private static let prefix = "data-referral-"

    static func reservedName(_ page: CheckedPage) -> [Rule.Problem] {
        parameters(of: page).compactMap { attribute in
            let name = String(attribute.name.dropFirst(prefix.count))
            guard Referral.reservedParameterNames.contains(name) else { return nil }
            let hint: Sentence = name == "referrer" ? "write data-referrer" : "rename the parameter"
            let message: Sentence =
                "a parameter can't be called \(name: name), the name of a member of every payload; \(hint)"
            return (attribute.offset, message)
        }
    }

    static func invalidName(_ page: CheckedPage) -> [Rule.Problem] {
        parameters(of: page).filter { attribute in
            let name = attribute.name.hasPrefix(prefix) ? String(attribute.name.dropFirst(prefix.count)) : ""
            return name.utf8.first?.isLetter != true
        }
        .map { attribute in
            let message: Sentence =
                "\(quoted: attribute.name) makes no parameter; after data-referral- comes a letter, as in data-referral-pack"
            return (attribute.offset, message)
        }
    }

    static func withoutReferrer(_ page: CheckedPage) -> [Rule.Problem] {
        page.links.filter { !$0.hasReferrerAttribute && $0.isLink }.compactMap { link in
            // A misspelled referrer is a separate problem.
            guard !link.misspellings.contains(where: { $0.meant.hasPrefix("data-referrer") }) else { return nil }
            return link.element.attributes.first { $0.name.hasPrefix(prefix) }.map { attribute in
                let message: Sentence =
                    "\(quoted: attribute.name) has no effect on a link without a referrer; add data-referrer"
                return (attribute.offset, message)
            }
        }
    }

    static func signature(_ page: CheckedPage) -> [Rule.Problem] {
        page.referrerLinks.flatMap { link -> [Rule.Problem] in
            let (name, endName) = (prefix + Referral.signatureName, prefix + Referral.endName)
            guard let signature = link.element[name] else { return [] }
            var problems: [Rule.Problem] = []
            if link.element["data-referrer"]?.value.isEmpty ?? true {
                let message: Sentence =
                    "\(name: name) is for one referrer, and this link has none of its own; add data-referrer"
                problems.append((signature.offset, message))
            }
            if Referral.signature(signature.value) == nil {
                let message: Sentence =
                    "\(name: name) isn't a signature, which has 86 characters of base64url; sign the link again"
                problems.append((signature.offset, message))
            }
            if let end = link.element[endName], Referral.campaignEnd(end.value) == nil {
                let message: Sentence =
                    "\(name: endName) isn't a time in Unix milliseconds of 12 to 16 digits; sign the link again"
                problems.append((end.offset, message))
            }
            return problems
        }
    }

    private static func parameters(of page: CheckedPage) -> [HTMLElement.Attribute] {
        page.referrerLinks.flatMap(\.parameters)
    }
}
