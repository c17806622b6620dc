/// A start tag, as places in the bytes of its page.
struct HTMLTag {
    struct Attribute {
        let name: Range<Int>
        /// What stands inside of the quotes, if there are any; empty where there is no value.
        let value: Range<Int>
    }

    /// The element's name, ASCII letters in lower case.
    let name: String

    /// Where its `<` stands.
    let start: Int

    /// In the order of the page, a repeated one too: the first of a name is the one that counts.
    let attributes: [Attribute]

    let isSelfClosing: Bool

    /// Whether it is an element of SVG or MathML.
    var isForeign = false
}
