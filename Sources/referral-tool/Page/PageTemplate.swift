/// Text with holes in it: `{name}` takes a value, and what stands between `{#name}` and `{/name}` is there only where there
/// is such a value. A brace that opens no hole stays as it is.
enum PageTemplate {
    enum Value {
        case html(String)
        /// Whatever stands in it, it comes out as text, in an element or in an attribute.
        case text(String)

        var html: String {
            switch self {
            case .html(let html): html
            case .text(let text): LinkElement.escaped(text)
            }
        }
    }

    /// The template filled in. What a value holds is never taken for a hole.
    ///
    /// - Parameters:
    ///   - template: The text.
    ///   - values: What its holes may take; `nil` for what there is none of.
    /// - Returns: The text.
    static func fill(_ template: String, _ values: [String: Value?]) -> String {
        var filled = ""
        var rest = template.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            filled.unicodeScalars += rest[..<open]
            rest = rest[open...]
            let name = String(rest.dropFirst().prefix { $0 != "}" && $0 != "{" })
            let hole = rest.dropFirst(name.unicodeScalars.count + 1)
            let isSection = name.hasPrefix("#") || name.hasPrefix("/")
            guard hole.first == "}", let value = values[isSection ? String(name.dropFirst()) : name] else {
                filled.unicodeScalars.append(rest.removeFirst())
                continue
            }
            rest = hole.dropFirst()
            if !isSection {
                filled += value?.html ?? ""
            } else if name.hasPrefix("#"), value == nil {
                rest = rest.behind("{/\(name.dropFirst())}")
            }
        }
        filled.unicodeScalars += rest
        return filled
    }
}

private extension Substring.UnicodeScalarView {
    /// What stands behind the first such mark; nothing where there is none.
    func behind(_ mark: String) -> Self {
        var rest = self
        while !rest.isEmpty, !rest.starts(with: mark.unicodeScalars) { rest.removeFirst() }
        return rest.dropFirst(mark.unicodeScalars.count)
    }
}
