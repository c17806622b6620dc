/// Finds misspelled names of the snippet's attributes on links to the store.
enum AttributeName {
    private static let known = ["data-referrer", "data-referrer-from", "data-referrer-keep", "data-referrer-ct"]

    /// The correct name for a misspelled one; `nil` if the snippet knows the name, or if it is too different.
    static func meant(by name: String) -> String? {
        guard !known.contains(name), !name.hasPrefix("data-referral-") else { return nil }
        if name == "referrer" || name == "referrer-from" || name.hasPrefix("referral-") { return "data-" + name }
        // A framework changes a name such as `:data-referrer` to an attribute.
        let isWord = name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "-_".utf8.contains($0) }
        guard isWord, name.utf8.count <= 64 else { return nil }
        if let meant = known.dropLast().first(where: { isMisspelled(name, $0) }) { return meant }
        // The first two words of a parameter's name.
        let dashed = name.utf8.map { $0 == UInt8(ascii: "_") ? ASCII.dash : $0 }
        let words = dashed.split(separator: ASCII.dash, maxSplits: 2, omittingEmptySubsequences: false)
        let start = String(decoding: Array(words.prefix(2).joined(separator: [ASCII.dash])), as: UTF8.self)
        guard ["data-referrer", "data-referral"].contains(where: { isMisspelled(start, $0) }) else { return nil }
        return words.count < 3 ? "data-referrer" : "data-referral-" + String(decoding: words[2], as: UTF8.self)
    }

    /// Whether a name differs from a known one by one or two letters.
    private static func isMisspelled(_ name: String, _ known: String) -> Bool {
        guard abs(name.utf8.count - known.utf8.count) <= 2 else { return false }
        let distance = Spelling.distance(Array(name.utf8), Array(known.utf8))
        return distance <= (name.hasPrefix("data-ref") ? 2 : 1)
    }
}
