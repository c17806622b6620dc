/// What may be wrong with a string, as the builder's panel *Read* says it.
struct Remedy {
    let judge: Judge

    /// What may be wrong with a string; `nil` if the verdict says it all.
    func hint(for judgment: Judgment, of string: String) -> String? {
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
        case .invalidPayload? where isFollowedByText(string): "Text follows the link; pass the link alone."
        case .invalidPayload(.invalidUTF8)?: "btoa writes Latin-1; encode the payload's text as UTF-8 first."
        case .invalidPayload?:
            "The link must arrive as the snippet wrote it. This one was cut off, changed, or written by hand."
        case nil: nil
        }
    }

    private func hint(for error: StorePageError, of string: String) -> String {
        // It isn't a referral link; otherwise, that would be the reason.
        if containsLink(string) { return "The string contains a link; pass the link alone." }
        let items = WebAddress(string).query?.utf8.split(separator: ASCII.ampersand) ?? []
        let hasReferrer = items.contains { $0.starts(with: "ref=".utf8) }
        if let schemes = otherScheme(of: string) { return "The page is \(schemes.page)://, this is \(schemes.own)://." }
        switch error {
        case .unsupportedScheme where containsAddress(string):
            return
                "The address in it has another host: pass a link to apps.apple.com, to one of the app's additional hosts "
                + "(--host), or to a landing page (--landing)."
        case .unsupportedScheme:
            return "The string must be a whole address that begins with https://."
        case .unsupportedHost where hasReferrer:
            return
                "This is the address of a landing page. Open it, tap its button, and pass the copied link, or name the "
                + "page with --landing."
        case .unsupportedHost:
            return "The host must be apps.apple.com or one of the app's additional hosts (--host)."
        case .containsUserInfo:
            return "The address must not have a user name and an @ before its host."
        default:
            return "The address must have /id and the app's digits in its path."
        }
    }
}

// MARK: - The string

private extension Remedy {
    /// The schemes of a landing page and of an address that differs from the page's only by its scheme.
    func otherScheme(of string: String) -> (page: String, own: String)? {
        let text = String(string[...].trimmingWhiteSpace)
        guard text.utf8.count <= StoreAddress.maximumLength, let own = WebAddress(text).scheme else { return nil }
        for page in judge.scanner.landingPages {
            guard let scheme = WebAddress(page.address).scheme, scheme.lowercased() != own.lowercased(),
                page.matches(WebAddress(String(scheme) + text.dropFirst(own.count)))
            else { continue }
            return (scheme.lowercased(), own.lowercased())
        }
        return nil
    }

    /// Whether there is the address of any web page in the text.
    func containsAddress(_ text: String) -> Bool {
        text.utf8.count <= StoreAddress.maximumLength
            && text.withUTF8Bytes { bytes in
                AddressSearch(bytes).contains { bytes[$0].prefix(4).map(ASCII.lowercased).elementsEqual("http".utf8) }
            }
    }

    /// Whether the text begins with a link, which ends before the text does.
    func isFollowedByText(_ text: String) -> Bool {
        text.utf8.count <= StoreAddress.maximumLength
            && text.withUTF8Bytes { bytes in
                AddressSearch(bytes).prefix(1).contains { judge(bytes.part($0).text ?? "").link != nil }
            }
    }

    /// Whether other text precedes the address of a store page.
    func containsLink(_ string: String) -> Bool {
        let text = string.lowercased()
        let hosts = ["apps.apple.com", "itunes.apple.com"] + judge.scanner.additionalHosts
        return hosts.contains { host in
            text.utf8.firstRange(of: "://\(host.lowercased())/".utf8).map { found in
                text.utf8[..<found.lowerBound].contains { ASCII.isWhiteSpace($0) || "<(\"'".utf8.contains($0) }
            } ?? false
        }
    }
}
