/// Texts by language.
package struct Localized<Text: Sendable & Hashable>: Sendable, Hashable {
    private let byTag: [Name: Text]
    /// The text of the first language in sorted order.
    private let first: Text?

    init(_ texts: [(language: Name, text: Text)] = []) {
        // Sorted, so that if two languages differ only in case, the same one always counts.
        let sorted = texts.sorted { $0.language < $1.language }
        let tagged = sorted.map { (Name($0.language.rawValue.lowercased()), $0.text) }
        byTag = Dictionary(tagged) { first, _ in first }
        first = sorted.first?.text
    }

    /// The text of the first tag that has one; otherwise the first in sorted order.
    package func text(for tags: [Name]) -> Text? {
        tags.lazy.compactMap { byTag[$0] }.first ?? first
    }

    /// The language tags of RFC 4647's lookup for each language in turn, and then for English, in lower case.
    static func tags(for languages: [String]) -> [Name] {
        var tags: [Name] = []
        for language in languages + ["en"] {
            var parts = language.lowercased().split(separator: "-")
            while !parts.isEmpty {
                tags.append(Name(parts.joined(separator: "-")))
                parts.removeLast()
                // A single letter starts an extension, and has no meaning without the subtags after it.
                if parts.last?.count == 1 { parts.removeLast() }
            }
        }
        return tags
    }
}
