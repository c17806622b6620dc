/// A custom product page in the App Store, and the address with which the store opens the app from it.
///
/// App Store Connect calls the address the page's deep link.
package struct ProductPage: Sendable {
    /// The page's UUID, the `ppid` of its address in the App Store.
    package let id: String
    package let link: String

    package init(id: String, link: String) {
        self.id = id
        self.link = link
    }

    /// The UUID in the form for comparison.
    package var key: String { id.asciiLowercased }

    /// The problem with the UUID; `nil` if it is valid.
    package var idProblem: Sentence? {
        if StorePage.isUUID(id) { return nil }
        return id.isEmpty
            ? "the UUID of the product page is missing; copy it from App Store Connect"
            : "\(quoted: id) isn't the UUID of a product page; copy it from App Store Connect"
    }

    /// The scheme in lowercase; `nil` for an address without one.
    package var scheme: String? { WebAddress(link).lowercasedScheme }

    /// The host of an address that begins with `https://`, in lowercase and with a port other than 443; otherwise `nil`.
    package var host: String? {
        guard scheme == "https" else { return nil }
        return WebAddress(link).site.map { String(decoding: $0.dropFirst("https://".utf8.count), as: UTF8.self) }
    }

    package struct Problem: Error { package let message: Sentence }

    /// Reads the address as an app does that lists the address's page among its landing pages.
    ///
    /// - Returns: The referrer.
    /// - Throws: The reason why the address has no referrer that counts.
    package func referrer() throws(Problem) -> String {
        guard !link.isEmpty else { throw Problem(message: "the address is missing; write it") }
        let isOneWord = !link.unicodeScalars.contains { $0.isDisplayControl || $0.properties.isWhitespace }
        guard isOneWord, let scheme, case let address = WebAddress(link), address.site != nil else {
            throw problem("isn't an address with a scheme and a host, such as https://example.com/get?ref=NAME")
        }
        guard scheme == "https" || !AppScheme.systemSchemes.contains(scheme) else {
            throw problem("begins with a scheme of the system's; write https://, or a scheme of the app's own")
        }
        guard !address.hasPayload else {
            throw problem(
                "has an ed, which counts for five minutes only; write the landing page's address in its place"
            )
        }
        var scanner = ReferralScanner(appID: 1)
        scanner.landingPages = [LandingPage(link)]
        let judgment = scanner.judge(opened: link)
        guard judgment.verdict == .found, let referrer = judgment.arrival?.referrer else {
            throw judgment.verdict == .noPayload
                ? problem("names no referrer; add the item 'ref', as in ?ref=NAME")
                : problem("has no referrer that counts: \(reason: judgment)")
        }
        if let placeholder = Placeholder.first(in: referrer) {
            throw problem("has the placeholder \(quoted: placeholder) as its referrer; write the campaign's name")
        }
        return referrer
    }

    private func problem(_ text: Sentence) -> Problem { Problem(message: "\(quoted: link) \(text)") }
}
