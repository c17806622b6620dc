import WebFiles

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
