import ReferralFoundation

/// What would make a string pass, as the builder's panel *Read* says it.
struct Remedy {
    let judge: Judge

    /// The remedy that depends on the string; `nil` if the verdict and the age of the tap determine it.
    func hint(for judgment: Judgment, of string: String) -> String? {
        switch judgment.error {
        case nil where judgment.link == nil && !judge.isPlay:
            return "It doesn't expire."
        case nil:
            let until = judgment.arrival?.referral.parameters[Referral.endName].flatMap(Double.init)
            return judgment.verdict == .campaignOver ? until.map { "A tap before \(Self.time($0)) passes." } : nil
        case .invalidAddress(.tooLong)?, .invalidPayload(.payloadTooLong)?:
            return
                "To pass, the referrer and the parameters must be shorter: 8,192 bytes for the payload, 65,536 for the "
                + "link."
        case .invalidAddress(let error)?:
            return hint(for: error, of: string)
        case .wrongApp?:
            return appID(in: string).map { "It passes in the app \($0). --app-id names another one." }
        case .missingPayload? where judge.isPlay:
            return "To pass, the text must come from a landing page's button for Google Play."
        case .missingPayload?:
            return
                "To pass, the link must come from a tap on a link with data-referrer, on a page with the snippet. The "
                + "address in a browser's address bar has no ed."
        case .invalidPayload(let error)?:
            if isFollowedByText(string) { return "Text follows the link; pass the link alone." }
            if error == .invalidUTF8, isLatin1(string) {
                return "The payload is Latin-1, as btoa writes it; encode its text as UTF-8 first."
            }
            return
                "To pass, the link must arrive as the snippet wrote it. This one was cut off, changed, or written by "
                + "hand."
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
            return "To pass, the string must be a whole address that begins with https://."
        case .unsupportedHost where hasReferrer:
            return
                "This is the address of a landing page. Open it, tap its button, and pass the copied link, or name the "
                + "page with --landing."
        case .unsupportedHost:
            return "To pass, the host must be apps.apple.com or one of the app's additional hosts (--host)."
        case .containsUserInfo:
            return "To pass, the address must not have a user name and an @ before its host."
        default:
            return "To pass, the address must have /id and the app's digits in its path."
        }
    }

    /// The remedy that depends only on the verdict and the age of the tap.
    func text(_ verdict: Verdict, ageMilliseconds age: Double) -> String {
        let window = judge.scanner.window
        let tap = judge.now.milliseconds - age
        let end = Self.time(tap + window.durationMilliseconds)
        switch verdict {
        case .wrongApp: return "It passes in another app."
        case .campaignOver: return "A tap before the end of the campaign passes."
        case .notSigned: return "To pass, the link must come from an address or a page that was made with --sign."
        case .wrongSignature:
            return "It passes if one of the signers made it for this app, and it is unchanged. A signer may be missing."
        case .fromTheFuture:
            let tolerance = JSONWriter.number((-age / 1_000).rounded(.up))
            return
                "It passes from \(Self.time(tap - window.toleranceMilliseconds)) on, or with --tolerance \(tolerance)s. A "
                + "clock may be wrong."
        case .expired:
            let seconds = JSONWriter.number((age / 1_000).rounded(.down) + 1)
            return "It passed until \(end). It passes with --window \(seconds)s. A new tap passes, too."
        case .superseded: return "It passes if it is the newest tap or the only one."
        case .alreadyReported: return "A newer tap passes."
        case _ where window.duration == .infinity: return "It doesn't expire."
        default: return "It passes until \(end)."
        }
    }

    /// `2026-11-21 01:32:30.690 UTC`.
    private static func time(_ milliseconds: Double) -> String {
        guard abs(milliseconds) < 8.64e15, let whole = Int(exactly: milliseconds.rounded(.down)) else {
            return "\(JSONWriter.number(milliseconds)) ms"
        }
        let rest = (whole % 1_000 + 1_000) % 1_000
        let date = Date(timeIntervalSince1970: Double((whole - rest) / 1_000)).ISO8601Format().dropLast()
        return date.replacing("T", with: " ") + "." + String(1_000 + rest).dropFirst() + " UTC"
    }
}

// MARK: - The string

private extension Remedy {
    func appID(in string: String) -> AppID? {
        let components = WebAddress(string).path.utf8.split(separator: ASCII.slash)
        let inPath = components.last { $0.starts(with: "id".utf8) && AppID(String(Substring($0.dropFirst(2)))) != nil }
        if let inPath { return AppID(String(Substring(inPath.dropFirst(2)))) }
        return item("id", of: string).flatMap { AppID(String(Substring($0))) }
    }

    /// The last item of a query with this name.
    func item(_ name: String, of string: String) -> Substring.UTF8View? {
        let query = judge.isPlay ? Substring(string) : WebAddress(string).query ?? ""
        let items = query.utf8.split(separator: ASCII.ampersand)
        return items.last { $0.starts(with: "\(name)=".utf8) }.map { $0.dropFirst(name.utf8.count + 1) }
    }

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

    /// Whether the payload is JSON in Latin-1.
    func isLatin1(_ string: String) -> Bool {
        guard let value = item("ed", of: string) else { return false }
        let digits = Array(value)
        var bytes = [UInt8](repeating: 0, count: Referral.maximumPayloadLength)
        let count = digits.withUnsafeBufferPointer { digits in
            bytes.withUnsafeMutableBufferPointer { bytes in try? Base64.decode(digits[...], into: bytes) }
        }
        guard let count else { return false }
        var text = String(String.UnicodeScalarView(bytes[..<count].map { Unicode.Scalar($0) }))
        return text.withUTF8 { (try? JSONRow.members(of: $0)) != nil }
    }
}
