import WebFiles

/// A link as an HTML element for a page with the snippet.
enum LinkElement {
    /// The element of a row: with the address of the App Store page, from which the snippet makes the link, or with a link to a
    /// landing page.
    static func html(_ address: String, _ claims: Claims, isOnPage: Bool) throws(RowError) -> String {
        let referrer = try text(claims.referrer, of: "referrer")
        var element = "<a href=\"\(escaped(address))\""
        if isOnPage {
            element += " data-referrer=\"\(referrer)\""
            for parameter in claims.parameters {
                let value = try text(parameter.value, of: "param.\(parameter.name)")
                element += " \(try requiredAttribute(for: parameter.name))=\"\(value)\""
            }
        }
        return element + ">Get the app</a>"
    }

    private static func text(_ text: String, of column: String) throws(RowError) -> String {
        // A browser would read U+FFFD or nothing in its place.
        guard !text.utf8.contains(0) else { throw RowError(column, "HTML can't contain the character U+0000") }
        return escaped(text)
    }

    /// The attribute of a parameter, such as `data-referral-level-set` for `levelSet`; `nil` if a page can't have the name.
    static func attribute(for name: String) -> String? {
        guard LandingPage.canNameParameter(name) else { return nil }
        return name.reduce(into: "data-referral-") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// The names that a parameter can have on a page.
    static let nameForm: Sentence =
        "on a page, the name of a parameter is a lowercase letter, followed by letters, digits, _ or ., but not 'on'"

    /// The attribute of a row's parameter.
    static func requiredAttribute(for name: String) throws(RowError) -> String {
        guard let attribute = attribute(for: name) else { throw RowError("param.\(name)", nameForm) }
        return attribute
    }

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\u{1}"..<" ": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The page of `links --sheet`: a QR code for each row, to print or to save. The page draws the codes itself.
enum CodeSheet {
    /// The maximum number of codes, as in the builder.
    static let maximumCount = 2_000
    /// The column with the texts below the codes.
    static let nameColumn: Name = "name"

    /// What the page needs of a row.
    struct Code {
        /// What people call the referrer; empty without a name.
        let name: String
        let referrer: String
        let link: String

        fileprivate var html: String {
            let attributes =
                "data-link=\"\(LinkElement.escaped(link))\" data-referrer=\"\(LinkElement.escaped(referrer))\""
            let code = "<bdi>\(LinkElement.escaped(referrer.shown))</bdi>"
            // Two people may have the same name.
            let isNamed = !name.isEmpty && !name.utf8.elementsEqual(referrer.utf8)
            let caption = isNamed ? "<bdi>\(LinkElement.escaped(name.shown))</bdi> (\(code))" : code
            return "<figure \(attributes)><figcaption dir=\"auto\">\(caption)</figcaption></figure>\n"
        }
    }

    static func html(_ codes: [Code]) -> String {
        let style = PageTemplate.content([WebFiles.pages_css, WebFiles.sheet_css, WebFiles.sheet_page_css])
        let scripts = [
            PageTemplate.content([WebFiles.qr_code_min_js]),
            PageTemplate.content([WebFiles.code_sheet_min_js, WebFiles.sheet_min_js]),
        ]
        let values: [String: String?] = [
            "policy": PageDocument.policy(styles: [style], scripts: scripts), "version": ReferralTool.version,
            "style": style, "figures": codes.map(\.html).joined(), "qr": scripts[0], "script": scripts[1],
        ]
        return PageTemplate.fill(String(cString: WebFiles.sheet_html), values)
    }
}
