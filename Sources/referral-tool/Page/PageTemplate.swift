/// A template with placeholders: `{name}` is replaced with a value, and the text between `{#name}` and `{/name}` is kept only
/// if there is a value. Other braces are unchanged.
enum PageTemplate {
    /// The content of a style or a script, which begins on a line of its own: the text of files that are part of the command.
    static func content(_ files: [UnsafePointer<UInt8>]) -> String { "\n" + files.map(String.init(cString:)).joined() }

    /// Fills in a template with values in HTML. A brace in a value has no meaning.
    static func fill(_ template: String, _ values: [String: String?]) -> String {
        var filled = ""
        var rest = template.unicodeScalars[...]
        while let open = rest.firstIndex(of: "{") {
            filled.unicodeScalars += rest[..<open]
            rest = rest[open...]
            let name = String(rest.dropFirst().prefix { $0 != "}" && $0 != "{" })
            let placeholder = rest.dropFirst(name.unicodeScalars.count + 1)
            let isSection = name.hasPrefix("#") || name.hasPrefix("/")
            guard placeholder.first == "}", let value = values[isSection ? String(name.dropFirst()) : name] else {
                filled.unicodeScalars.append(rest.removeFirst())
                continue
            }
            rest = placeholder.dropFirst()
            if !isSection {
                filled += value ?? ""
            } else if name.hasPrefix("#"), value == nil {
                let end = rest.firstRange(of: "{/\(name.dropFirst())}".unicodeScalars)?.upperBound ?? rest.endIndex
                rest = rest[end...]
            }
        }
        filled.unicodeScalars += rest
        return filled
    }
}
