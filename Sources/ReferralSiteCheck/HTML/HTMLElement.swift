/// A start tag, with names in lowercase and without character references in its values.
struct HTMLElement {
    struct Attribute {
        let name: String
        /// The name as written, possibly with capital letters, which HTML reads in lowercase.
        let writtenName: String
        let value: String
        /// The offset of the name.
        let offset: Int
        let isQuoted: Bool
    }

    let name: String

    /// The offset of `<`.
    let offset: Int

    /// The attributes in the order of the page. If a name is repeated, the first attribute counts.
    var attributes: [Attribute]

    /// The attributes that don't count, because their names are repeated.
    var repeated: [Attribute]

    let isSelfClosing: Bool

    /// Whether this is an element of SVG or MathML.
    var isForeign = false

    subscript(name: String) -> Attribute? { attributes.first { $0.name == name } }
}
