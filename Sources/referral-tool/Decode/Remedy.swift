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
        let address = WebAddress(text)
        for page in judge.scanner.landingPages {
            guard let own = address.scheme?.lowercased(), let scheme = WebAddress(page.address).scheme?.lowercased(),
                scheme != own, page.matches(WebAddress(scheme + text.dropFirst(own.count)))
            else { continue }
            return "The page is \(scheme)://, this is \(own)://."
        }
        switch judgment.error {
        case .invalidAddress(.unsupportedScheme):
            let hosts = addresses(in: string).map { WebAddress($0).authority?.lowercased() ?? "" }
            let stores = ["apps.apple.com", "itunes.apple.com"] + judge.scanner.additionalHosts.map { $0.lowercased() }
            if hosts.contains(where: stores.contains) { return "The string contains a link; pass the link alone." }
            return hosts.isEmpty
                ? nil
                : "The address in it has another host: pass a link to apps.apple.com, to one of the app's additional hosts "
                    + "(--host), or to a landing page (--landing)."
        case .invalidAddress(.unsupportedHost):
            return
                "If this is the address of a landing page, open it, tap its button, and pass the copied link, or name the "
                + "page with --landing."
        case .wrongApp: return "--app-id names another app."
        case .invalidPayload where addresses(in: string).first.map { judge($0).link != nil } == true:
            return "Text follows the link; pass the link alone."
        default: return nil
        }
    }

    /// The addresses in a text.
    private func addresses(in text: String) -> [String] {
        guard text.utf8.count <= StoreAddress.maximumLength else { return [] }
        return text.withUTF8Bytes { bytes in AddressSearch(bytes).map { bytes.part($0).string } }
    }
}
