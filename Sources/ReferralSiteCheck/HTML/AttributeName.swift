/// Finds misspelled names of the snippet's attributes on links to the store.
enum AttributeName {
    private static let referrer = Array("data-referrer".utf8)
    private static let referral = Array("data-referral".utf8)
    private static let from = Array("from".utf8)
    private static let keep = Array("keep".utf8)
    private static let joinedFrom = [referrer + from, referral + from]

    /// The correct name for a misspelled one; `nil` if the snippet knows the name, or if it is too different.
    static func meant(by name: String) -> String? {
        let known = ["data-referrer", "data-referrer-from", "data-referrer-keep", "data-referrer-ct"]
        guard !known.contains(name), !name.hasPrefix("data-referral-") else { return nil }
        if name == "referrer" || name == "referrer-from" || name.hasPrefix("referral-") { return "data-" + name }
        let bytes = Array(name.utf8)
        // A framework changes a name such as `:data-referrer` to an attribute.
        guard bytes.count <= 64, bytes.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || isSeparator($0) }) else {
            return nil
        }
        guard let start = start(of: bytes) else {
            return joinedFrom.contains { EditDistance.between(bytes, $0) <= 1 } ? "data-referrer-from" : nil
        }
        let rest = Array(bytes[start.end...].dropFirst())
        if rest.isEmpty { return "data-referrer" }
        if start.isReferrer {
            for word in [from, keep] where EditDistance.between(rest, word) <= 1 {
                return "data-referrer-" + String(decoding: word, as: UTF8.self)
            }
        }
        return "data-referral-" + String(decoding: rest, as: UTF8.self)
    }

    /// The end of the part of a name that differs from `data-referrer` or `data-referral` by one or two letters.
    private static func start(of name: [UInt8]) -> (end: Int, isReferrer: Bool)? {
        var nearest: (end: Int, isReferrer: Bool)?
        var least = Int.max
        for end in name.indices.dropFirst() + [name.count] where end == name.count || isSeparator(name[end]) {
            let start = name[..<end]
            // If one letter is inserted, removed or replaced, or two are swapped, at least one of these parts is
            // unchanged.
            let isLikely =
                start.starts(with: "data-re".utf8)
                || ["rrer", "rral"].contains { start.suffix(4).elementsEqual($0.utf8) }
            guard isLikely, abs(end - referrer.count) <= 2 else { continue }
            let (toReferrer, toReferral) = (
                EditDistance.between(Array(start), referrer), EditDistance.between(Array(start), referral)
            )
            let distance = min(toReferrer, toReferral)
            guard distance <= (start.starts(with: "data-ref".utf8) ? 2 : 1), distance < least else {
                continue
            }
            nearest = (end, toReferrer <= toReferral)
            least = distance
        }
        return nearest
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == ASCII.dash || byte == UInt8(ascii: "_") }
}
