/// A start tag for the rules, with names in lowercase and without character references in its values.
struct HTMLElement {
    struct Attribute {
        let name: String
        let value: String
        /// The offset of the name.
        let offset: Int
    }

    let name: String
    let offset: Int

    /// One for each name.
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
