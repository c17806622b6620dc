/// What may be wrong with a string, as the builder's panel *Read* says it.
struct Remedy {
    let judge: Judge

    /// The reason of a judgment, and what may be wrong with its string.
    func explanation(of judgment: Judgment, _ string: String) -> String {
        [judgment.reason, hint(for: judgment, of: string)].compactMap(\.self).joined(separator: " ")
    }

    /// What may be wrong with a string; `nil` if the verdict says it all.
    private func hint(for judgment: Judgment, of string: String) -> String? {
        switch judgment.error {
        case .invalidAddress(.tooLong)?, .invalidPayload(.payloadTooLong)?:
            "The referrer and the parameters must be shorter: 8,192 bytes for the payload, 65,536 for the link."
        case .invalidAddress(let error)?:
            hint(for: error, of: string)
        case .wrongApp?:
            "--app-id names another app."
        case .missingPayload? where judge.isPlay:
            "The text must come from a landing page's button for Google Play."
        case .missingPayload?:
            "The link must come from a tap on a link with data-referrer, on a page with the snippet. The address in a browser's "
                + "address bar has no ed."
        case .invalidPayload? where addresses(in: string).first.map { judge($0).link != nil } == true:
            "Text follows the link; pass the link alone."
        case .invalidPayload(.invalidUTF8)?: "btoa writes Latin-1; encode the payload's text as UTF-8 first."
        case .invalidPayload?:
            "The link must arrive as the snippet wrote it. This one was cut off, changed, or written by hand."
        case nil: nil
        }
    }

    private func hint(for error: StorePageError, of string: String) -> String {
        let text = String(string[...].trimmingWhiteSpace)
        let address = WebAddress(text)
        for page in judge.scanner.landingPages {
            guard let own = address.scheme?.lowercased(), let scheme = WebAddress(page.address).scheme?.lowercased(),
                scheme != own, page.matches(WebAddress(scheme + text.dropFirst(own.count)))
            else { continue }
            return "The page is \(scheme)://, this is \(own)://."
        }
        switch error {
        case .unsupportedScheme:
            let hosts = addresses(in: string).map { WebAddress($0).authority?.lowercased() ?? "" }
            if hosts.isEmpty { return "The string must be a whole address that begins with https://." }
            let stores = ["apps.apple.com", "itunes.apple.com"] + judge.scanner.additionalHosts.map { $0.lowercased() }
            if hosts.contains(where: stores.contains) { return "The string contains a link; pass the link alone." }
            return
                "The address in it has another host: pass a link to apps.apple.com, to one of the app's additional hosts "
                + "(--host), or to a landing page (--landing)."
        case .unsupportedHost:
            return
                "The host must be apps.apple.com or one of the app's additional hosts (--host). If this is the address of a "
                + "landing page, open it, tap its button, and pass the copied link, or name the page with --landing."
        case .containsUserInfo:
            return "The address must not have a user name and an @ before its host."
        default:
            return "The address must have /id and the app's digits in its path."
        }
    }

    /// The addresses in a text.
    private func addresses(in text: String) -> [String] {
        guard text.utf8.count <= StoreAddress.maximumLength else { return [] }
        return text.withUTF8Bytes { bytes in AddressSearch(bytes).map { bytes.part($0).string } }
    }
}
