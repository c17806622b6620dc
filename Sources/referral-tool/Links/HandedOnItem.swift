/// An item of a landing page's address that the page passes to the app as a parameter, although nobody signed it.
enum HandedOnItem {
    static let option = Option(
        "--item",
        "NAME",
        """
        an item of the landing page's address that the page passes to the app as the parameter NAME, without a signature, such \
        as open in https://example.com/get?ref=anna&open=/boards/42; the option can be repeated
        """,
        repeats: true,
        form: "\(LinkElement.nameForm), and not sig, until, timestamp or referrer",
        parse: { name in
            let others = LinkSigner.reservedNames + Referral.reservedParameterNames
            return LinkElement.attribute(for: name) != nil && !others.contains(name) ? name : nil
        }
    )

    /// The names of a command's items, in the order given. The item with the referrer can't be one of them.
    static func names(_ arguments: Arguments, referrerItem: String) throws(ToolError) -> [String] {
        let names = try arguments.values(of: option)
        for (index, name) in names.enumerated() {
            if name == referrerItem { throw .value(name, of: option, "it is the item that names the referrer") }
            if names[..<index].contains(name) { throw .value(name, of: option, "it is given twice") }
        }
        return names
    }
}
