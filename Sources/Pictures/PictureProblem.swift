/// Why a file can't be an icon.
package struct PictureProblem: Error, Equatable {
    package enum Kind: String, Sendable {
        case empty, tooLarge, notAPicture, encoding, character, malformed, instruction, comment, section, doctype,
            entity,
            namespace
        case element, attribute, address, value, style, depth
    }

    package let kind: Kind
    /// The line of an SVG, from 1.
    package let line: Int?
    /// The name of the element, attribute, entity or property, at most 80 characters.
    package let name: String?
    /// The problem and the solution.
    package let reason: String

    init(_ kind: Kind, line: Int? = nil, name: String? = nil, count: Int = 0) {
        let name = name.map { $0.unicodeScalars.count > 80 ? String($0.unicodeScalars.prefix(80)) + "…" : $0 }
        (self.kind, self.line, self.name) = (kind, line, name)
        let place = line.map { "line \($0): " } ?? ""
        reason = place + Self.reason(kind, name ?? "", count)
    }

    private static func reason(_ kind: Kind, _ name: String, _ count: Int) -> String {
        let plain = "export it as plain SVG"
        return switch kind {
        case .empty: "it is empty"
        case .tooLarge:
            "it has \(count) bytes, and an icon has at most \(Picture.maximumSize); 256 by 256 pixels are enough"
        case .notAPicture: "it is not a PNG, JPEG, WebP or SVG"
        case .encoding: "it is not in UTF-8; save it as UTF-8"
        case .character: "it has a character that XML doesn't allow; \(plain)"
        case .malformed: "it isn't well-formed XML; \(plain)"
        case .instruction: "it has a processing instruction (<?); \(plain)"
        case .comment: "a comment begins with > or contains --; remove it"
        case .section: "a CDATA section contains <; \(plain)"
        case .doctype: "its document type isn't one of SVG's own, or has declarations; \(plain)"
        case .entity: "the entity '\(name)' isn't one of XML's own; \(plain)"
        case .namespace:
            "'\(name)' isn't SVG but an editor's own; \(plain), in Illustrator without its editing capabilities"
        case .element: "<\(name)> isn't allowed, since an icon only draws; \(plain)"
        case .attribute: "the attribute '\(name)' isn't allowed, since an icon only draws; \(plain)"
        case .address: "'\(name)' leads out of the icon; use #id, or embed a PNG, JPEG, WebP or GIF image in base64"
        case .value: "the value of '\(name)' isn't a plain one; \(plain)"
        case .style: "its CSS isn't plain at '\(name)'; use properties such as fill, without @, comments and escapes"
        case .depth: "its elements are nested more than \(SVGReader.maximumDepth) deep; ungroup some"
        }
    }
}
