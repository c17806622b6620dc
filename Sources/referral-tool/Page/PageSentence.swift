/// The sentences of a landing page. `{name}` is the app's name, and `{contents}` is what the copied link contains.
enum PageSentence: String, CaseIterable {
    /// The button that leads to the store.
    case button
    /// What the button copies, and why.
    case note
    /// The word for a signature, which the note shows if the link contains one.
    case signature
    /// The second link, which copies nothing.
    case plain
    /// The message after copying.
    case copied
    /// The title above the QR code.
    case phone
    /// What to do with the code.
    case scan
    /// The text alternative of the code.
    case code
    /// A sentence below the name. A page needs none.
    case tagline
    /// The language's own name, on a page in several languages. If it is missing, the language's tag takes its place.
    case language

    /// The sentences that a page in any language needs.
    static let required = allCases.filter { $0 != .tagline && $0 != .language }

    /// The languages of the translations.
    static var languages: [String] { translations.keys.sorted() }

    /// The sentences in each language, from `web/landing-sentences.json`.
    static let translations = members(of: PackageResources.landing_sentences_json).mapValues { sentences in
        Dictionary(
            uniqueKeysWithValues: members(of: Array(sentences.utf8)).compactMap { name, text in
                PageSentence(rawValue: name).map { ($0, text) }
            }
        )
    }

    private static func members(of object: [UInt8]) -> [String: String] {
        object.withUnsafeBufferPointer { bytes in
            let members = (try? JSONRow.members(of: bytes)) ?? []
            return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value.cell) })
        }
    }
}
