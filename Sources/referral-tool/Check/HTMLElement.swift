/// A start tag as the rules look at it: names in lower case, the character references in its values read.
struct HTMLElement {
    struct Attribute {
        let name: String
        let value: String
        /// Where its name begins.
        let offset: Int
    }

    let name: String
    let offset: Int

    /// The first of each name.
    let attributes: [Attribute]

    init(_ tag: HTMLTag, in bytes: [UInt8]) {
        name = tag.name
        offset = tag.start
        var names: Set<String> = []
        attributes = tag.attributes.compactMap { attribute in
            let name = bytes[attribute.name].lowercasedText
            guard names.insert(name).inserted else { return nil }
            let value = CharacterReferences.decoded(bytes[attribute.value])
            return Attribute(name: name, value: value, offset: attribute.name.lowerBound)
        }
    }

    subscript(name: String) -> Attribute? { attributes.first { $0.name == name } }
}
