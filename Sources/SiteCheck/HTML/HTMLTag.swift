/// A start tag, as ranges of the page's bytes.
struct HTMLTag {
    struct Attribute {
        let name: Range<Int>
        /// The value without its quotation marks; empty if there is none.
        let value: Range<Int>
    }

    /// The element's name, with ASCII letters in lowercase.
    let name: String

    /// The offset of `<`.
    let start: Int

    /// In the order of the page. On a repeated name, the first attribute counts.
    let attributes: [Attribute]

    let isSelfClosing: Bool

    /// Whether this is an element of SVG or MathML.
    var isForeign = false
}
