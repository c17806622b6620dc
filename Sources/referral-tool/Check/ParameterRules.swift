/// What is wrong with a link's parameters.
enum ParameterRules {
    typealias Problem = Rule.Problem

    private static let prefix = "data-referral-"

    static func reserved(_ page: CheckedPage) -> [Problem] {
        parameters(of: page).filter { ["timestamp", "referrer"].contains($0.name.dropFirst(prefix.count)) }.map {
            attribute in
            Problem(
                offset: attribute.offset,
                message:
                    "no parameter is called \(attribute.name.dropFirst(prefix.count)), which is a name of the payload's own; "
                    + (attribute.name.hasSuffix("referrer") ? "write data-referrer" : "give it another name")
            )
        }
    }

    static func name(_ page: CheckedPage) -> [Problem] {
        parameters(of: page).filter { !makesParameter($0.name) }.map { attribute in
            Problem(
                offset: attribute.offset,
                message: "\(ToolError.quoted(attribute.name)) makes no parameter; a letter follows data-referral-, "
                    + "as in data-referral-pack"
            )
        }
    }

    static func lost(_ page: CheckedPage) -> [Problem] {
        page.page.links.filter { !$0.isOurs && $0.isLink }.compactMap { link in
            let attribute = link.element.attributes.first { $0.name.hasPrefix(prefix) }
            return attribute.map { attribute in
                Problem(
                    offset: attribute.offset,
                    message:
                        "\(ToolError.quoted(attribute.name)) does nothing on a link without a referrer; add data-referrer"
                )
            }
        }
    }

    private static func makesParameter(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.dropFirst(prefix.utf8.count).first?.isLetter == true
    }

    private static func parameters(of page: CheckedPage) -> [HTMLElement.Attribute] { page.ours.flatMap(\.parameters) }
}
