import Foundation
import SwiftUI
import Testing

/// Xcode's string catalog.
struct StringCatalog: Decodable {
    struct Text: Decodable { let localizations: [String: Localization] }
    struct Localization: Decodable {
        let stringUnit: Unit?
        let variations: Variations?
    }
    struct Unit: Decodable { let value: String }
    struct Variations: Decodable { let plural: [String: Localization] }

    let strings: [String: Text]

    /// Reads the one of a folder: of the sources, or of another folder of the repository.
    init(_ folder: String, of root: String = "Sources") throws {
        let path = "../../../../../\(root)/\(folder)/Localizable.xcstrings"
        let data = try Data(contentsOf: URL(filePath: #filePath).appending(path: path).standardized)
        self = try JSONDecoder().decode(Self.self, from: data)
    }

    /// A sentence in a language, in the form for a number.
    func text(_ key: String, in language: String, _ count: Int? = nil) -> String? {
        let localization = strings[key]?.localizations[language]
        let form = localization?.variations?.plural[count == 1 ? "one" : "other"] ?? localization
        return form?.stringUnit?.value
    }

    /// What a view says in a language; `nil` if the catalog lacks it.
    func text(_ sentence: ShownText, in language: String) -> String? {
        guard let key = sentence.key else { return sentence.text }
        let values = zip(placeholders(key), sentence.arguments)
        return values.reduce(text(key, in: language, sentence.count)) { text, value in
            guard var text, let argument = self.text(value.1, in: language) else { return nil }
            if let range = text.firstRange(of: value.0) { text.replaceSubrange(range, with: argument) }
            return text
        }
    }

    /// Expects each sentence in each language, with the same placeholders. In the form for one, the number may be missing.
    func check() throws {
        for (key, string) in strings {
            #expect(Set(string.localizations.keys) == ["de", "en"], "\(key)")
            for (language, localization) in string.localizations {
                let forms = localization.variations?.plural
                #expect((forms != nil) == key.contains("%lld"), "\(language): \(key)")
                if let forms { #expect(Set(forms.keys) == ["one", "other"]) }
                for (form, unit) in forms ?? ["other": localization] {
                    let value = try #require(unit.stringUnit?.value, "\(language): \(key)")
                    let hasNumber = form != "one" || value.contains("%lld")
                    let expected = placeholders(key).filter { hasNumber || $0 != "%lld" }
                    #expect(placeholders(value) == expected, "\(language): \(key)")
                }
            }
        }
    }

    private func placeholders(_ text: String) -> [Substring] { text.matches(of: /%(lld|@)/).map(\.output.0) }
}
