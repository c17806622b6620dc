import ReferralBridge

/// Finds misspelled names of the snippet's attributes.
enum AttributeName {
    /// The place of a name. The more it has to do with a referral, the less likely it is that the name is the page's
    /// own.
    enum Context {
        case element, link, storeLink
    }

    private static let referrer = Array("data-referrer".utf8)
    private static let referral = Array("data-referral".utf8)
    private static let from = Array("from".utf8)
    private static let keep = Array("keep".utf8)
    private static let joinedFrom = [referrer + from, referral + from]

    /// Words that resemble `referrer` or `referral`. On a link to the store, they are also mistakes.
    private static let words: Set<String> = [
        "deferral", "deferrer", "referee", "refereed", "referees", "referrable", "referral", "referrals", "referred",
        "referrers", "reformer", "reformers",
    ]

    /// The correct name for a misspelled one; `nil` if the snippet knows the name, or if it is too different.
    static func meant(by name: String, in context: Context) -> String? {
        let known = ["data-referrer", "data-referrer-from", "data-referrer-keep"]
        guard !known.contains(name), !name.hasPrefix("data-referral-") else { return nil }
        if name == "referrer" || name == "referrer-from" || name.hasPrefix("referral-") {
            return context == .element ? nil : "data-" + name
        }
        let bytes = Array(name.utf8)
        // A framework changes a name such as `:data-referrer` to an attribute.
        guard bytes.count <= 64, bytes.allSatisfy({ $0.isLetter || ASCII.isDigit($0) || isSeparator($0) }) else {
            return nil
        }
        guard let start = start(of: bytes) else {
            let isFrom = context != .element && joinedFrom.contains { EditDistance.between(bytes, $0) <= 1 }
            return isFrom ? "data-referrer-from" : nil
        }
        let text = String(decoding: bytes[..<start.end], as: UTF8.self)
        if context != .storeLink, words.contains(String(text.dropFirst("data-".utf8.count))) { return nil }
        let rest = Array(bytes[start.end...].dropFirst())
        if rest.isEmpty { return start.isReferrer || context != .element ? "data-referrer" : nil }
        guard context != .element else { return nil }
        if start.isReferrer {
            for word in [from, keep] where EditDistance.between(rest, word) <= 1 {
                return "data-referrer-" + String(decoding: word, as: UTF8.self)
            }
        }
        // `data-referrer-policy` may be the page's own.
        guard context == .storeLink || text != "data-referrer" else { return nil }
        return "data-referral-" + String(decoding: rest, as: UTF8.self)
    }

    /// The end of the part of a name that differs from `data-referrer` or `data-referral` by one or two letters.
    private static func start(of name: [UInt8]) -> (end: Int, isReferrer: Bool)? {
        var nearest: (end: Int, isReferrer: Bool, distance: Int)?
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
            guard distance <= (start.starts(with: "data-ref".utf8) ? 2 : 1), distance < nearest?.distance ?? .max else {
                continue
            }
            nearest = (end, toReferrer <= toReferral, distance)
        }
        return nearest.map { ($0.end, $0.isReferrer) }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == ASCII.dash || byte == UInt8(ascii: "_") }
}
