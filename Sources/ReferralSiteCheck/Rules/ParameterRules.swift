extension Rule {
    private static let prefix = "data-referral-"

    /// Problems with a link's parameters.
    static let parameters = [
        Rule("reserved-parameter", "a parameter called timestamp or referrer") { page in
            page.parameters.compactMap { attribute in
                let name = String(attribute.name.dropFirst(prefix.count))
                guard Referral.reservedParameterNames.contains(name) else { return nil }
                let hint: Sentence = name == "referrer" ? "write data-referrer" : "rename the parameter"
                let message: Sentence =
                    "a parameter can't be called \(name: name), the name of a member of every payload; \(hint)"
                return Problem(attribute.offset, message)
            }
        },
        Rule("parameter-name", "an attribute that makes no parameter") { page in
            page.parameters.compactMap { attribute in
                let name = attribute.name.hasPrefix(prefix) ? String(attribute.name.dropFirst(prefix.count)) : ""
                if name.utf8.first.map(ASCII.isLetter) == true { return nil }
                let message: Sentence =
                    "\(quoted: attribute.name) makes no parameter; after data-referral- comes a letter, as in data-referral-pack"
                return Problem(attribute.offset, message)
            }
        },
        Rule("capitals", "a capital letter in a parameter's name, which HTML reads in lowercase") { page in
            page.parameters.compactMap { attribute in
                let written = attribute.writtenName
                // A name in all capitals is a style, and nobody expects a parameter with that name.
                guard !page.page.isXML, attribute.name.hasPrefix(prefix), written != attribute.name,
                    written.utf8.contains(where: { ASCII.isLetter($0) && $0 == $0.lowercased })
                else { return nil }
                let message: Sentence =
                    "HTML reads \(quoted: written) in lowercase; write a dash and a lowercase letter for each capital: "
                    + "data-referral-level-set is the parameter levelSet"
                return Problem(attribute.offset, message)
            }
        },
        Rule("lost-parameter", "a parameter on a link without a referrer") { page in
            page.links.compactMap { link in
                // A misspelled referrer is a separate problem.
                guard !link.hasReferrerAttribute, link.isLink,
                    !link.misspellings.contains(where: { $0.meant.hasPrefix("data-referrer") }),
                    let attribute = link.element.attributes.first(where: { $0.name.hasPrefix(prefix) })
                else { return nil }
                let message: Sentence =
                    "\(quoted: attribute.name) has no effect on a link without a referrer; add data-referrer"
                return Problem(attribute.offset, message)
            }
        },
        Rule("signature", "a malformed signature or until, or no referrer for them") { page in
            page.referrerLinks.flatMap { link -> [Problem] in
                let (name, endName) = (prefix + Referral.signatureName, prefix + Referral.endName)
                guard let signature = link.element[name] else { return [] }
                let end = link.element[endName]
                let hasReferrer = link.element["data-referrer"]?.value.isEmpty == false
                let problems: [(isBroken: Bool, offset: Int, message: Sentence)] = [
                    (
                        !hasReferrer, signature.offset,
                        "\(name: name) is for one referrer, and this link has none of its own; add data-referrer"
                    ),
                    (
                        Referral.signature(signature.value) == nil, signature.offset,
                        "\(name: name) isn't a signature, which has 86 characters of base64url; sign the link again"
                    ),
                    (
                        end.map { Referral.campaignEnd($0.value) == nil } ?? false, end?.offset ?? 0,
                        "\(name: endName) isn't a time in Unix milliseconds of 12 to 16 digits; sign the link again"
                    ),
                ]
                return problems.filter(\.isBroken).map { Problem($0.offset, $0.message) }
            }
        },
    ]
}
