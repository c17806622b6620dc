/// What may be wrong with a string, as the builder's panel *Read* says it.
struct Remedy {
    let judge: Judge

    /// The reason of a judgment, and what may be wrong with its string.
    func explanation(of judgment: Judgment, _ string: String) -> String {
        [judgment.reason, hint(for: judgment, of: string)].compactMap(\.self).joined(separator: " ")
    }

    /// What may be wrong with a string; `nil` if the reason says it all.
    private func hint(for judgment: Judgment, of string: String) -> String? {
        let text = String(string[...].trimmingWhiteSpace)
        if let referrer = judgment.arrival?.referral.referrer {
            if referrer.hasPrefix("3D"), text.contains("=3D") { return Self.ofMail }
            return text.contains("&amp;") ? Self.ofPage : nil
        }
        // The rest of an address that was cut isn't known. Comparing marks takes the square of their number.
        let mends = judgment.error == .cutAddress || text.utf8.count > 8_192 ? [] : mended(text)
        for (mended, hint) in mends where mended != text && judge(mended).arrival != nil { return hint }
        switch judgment.error {
        case .invalidAddress(.unsupportedScheme):
            let found = addresses(in: text).map { judge($0).error }.filter { $0 != .invalidAddress(.unsupportedScheme) }
            let isElsewhere = found.allSatisfy { $0 == .invalidAddress(.unsupportedHost) }
            if !isElsewhere { return "The string contains a link; pass the link alone." }
            return found.isEmpty ? nil : "The address in it has another host. " + Self.ofOtherHost
        case .invalidAddress(.unsupportedHost): return Self.ofOtherHost
        case .wrongApp: return "--app-id names another app."
        default: return nil
        }
    }

    private static let ofOtherHost =
        "If this is the address of a landing page, open it, tap its button, and pass the copied link, or name the page with "
        + "--landing."

    private static let ofMail = "It is from the source of a mail, where =3D stands for =; pass the address as shown."
    private static let ofPage = "It is from the source of a page, where &amp; stands for &; pass the address as shown."

    /// The text without what programs do to an address, each with what is said of that.
    private func mended(_ text: String) -> [(text: String, hint: String)] {
        let link = text.hasPrefix("http") || text.hasPrefix("itms") ? addresses(in: text).first ?? "" : ""
        let end = link.firstRange(of: /%[89A-F]/)?.lowerBound ?? link.endIndex
        let start = String(link[..<end].reversed().drop { $0 == "=" }.reversed())
        let (own, other) = text.hasPrefix("http:") ? ("http:", "https:") : ("https:", "http:")
        return [
            (text.replacing(own, with: other, maxReplacements: 1), "The page is \(other)//, this is \(own)//."),
            (text.replacing("&amp;", with: "&").replacing(";=", with: "="), Self.ofPage),
            (text.replacing("=\n", with: "").replacing("=3D", with: "="), Self.ofMail),
            (start, "Text follows the link; pass the link alone."),
        ]
    }

    /// The addresses in a text.
    private func addresses(in text: String) -> [String] {
        guard text.utf8.count <= StoreAddress.maximumLength else { return [] }
        return text.withUTF8Bytes { bytes in AddressSearch(bytes).map { bytes.part($0).string } }
    }
}
