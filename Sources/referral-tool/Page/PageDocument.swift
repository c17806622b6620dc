import Hashing
import ReferralBridge
import SiteCheck

/// A landing page: `web/landing.html` with its values, its style and its scripts.
struct PageDocument {
    var store: StorePage
    var name: String
    var tagline: String?
    /// The address of the icon.
    var icon: String?
    /// The referrer of visitors whose address names none.
    var referrer: String?
    /// The query item of the page's own address that names the referrer.
    var referrerItem: String
    /// The parameters, as attributes of the link and as people read them.
    var parameters: [(attribute: String, name: String, value: String)]
    var language: PageLanguage
    var sentences: [PageSentence: String]
    /// Whether Safari shows its banner for the app. A tap on the banner copies nothing.
    var hasBanner: Bool

    var html: String {
        let style = "\n" + [PackageResources.pages_css, PackageResources.landing_css].map(Self.text).joined()
        let snippet = CopySnippet(format: .html(nonce: nil), isMinified: true).source
        let scripts = [PackageResources.qr_code_min_js, PackageResources.landing_js].map { "\n" + Self.text($0) }
        let texts: [String: String?] = [
            "lang": language.tag, "direction": language.isRightToLeft ? "rtl" : "ltr", "version": ReferralTool.version,
            "name": name, "description": tagline ?? name, "tagline": tagline, "address": store.addressWithoutReferral,
            "icon": icon, "initial": icon == nil ? initial : nil, "banner": hasBanner ? "app-id=\(store.appID)" : nil,
        ]
        var values = texts.mapValues { $0.map(LinkElement.escaped) }
        values["policy"] = Self.policy(style: style, scripts: [Self.content(of: snippet)] + scripts)
        values["attributes"] = attributes
        values["style"] = style
        values["snippet"] = snippet
        values["qr"] = scripts[0]
        values["script"] = scripts[1]
        for sentence in PageSentence.allCases { values[sentence.rawValue] = text(of: sentence) }
        return PageTemplate.fill(Self.text(PackageResources.landing_html), values)
    }

    /// The replacement for an icon: the name's first letter or digit, or its first character.
    private var initial: String? { (name.first { $0.isLetter || $0.isNumber } ?? name.first).map { String($0) } }

    /// The parameters that the note shows. A signature, and the end of its campaign, say nothing about a person. Anything else
    /// under their names might.
    private var shownParameters: [(attribute: String, name: String, value: String)] {
        guard parameters.contains(where: { $0.name == Referral.signatureName && Referral.signature($0.value) != nil })
        else { return parameters }
        return parameters.filter {
            $0.name != Referral.signatureName && ($0.name != Referral.endName || Referral.campaignEnd($0.value) == nil)
        }
    }

    private var attributes: String {
        var attributes = [(name: "data-referrer-from", value: referrerItem)]
        if let referrer { attributes.append(("data-referrer", referrer)) }
        attributes += parameters.map { ($0.attribute, $0.value) }
        return attributes.map { "\($0.name)=\"\(LinkElement.escaped($0.value))\"" }.joined(separator: " ")
    }

    /// A sentence with the app's name and the link's contents in it.
    private func text(of sentence: PageSentence) -> String {
        let name = LinkElement.escaped(name)
        // An element isolates a name of the other writing direction; an attribute can't contain one.
        let isAttribute = [.copied, .code].contains(sentence)
        let contents =
            ["<code><bdi id=\"referrer\">\(LinkElement.escaped(referrer ?? ""))</bdi></code>"]
            + shownParameters.map { "<code><bdi>\(LinkElement.escaped("\($0.name)=\($0.value)"))</bdi></code>" }
        return PageTemplate.fill(
            LinkElement.escaped(sentences[sentence] ?? ""),
            [
                "name": isAttribute ? name : "<bdi>\(name)</bdi>",
                "contents": sentence == .note ? contents.joined(separator: " ") : nil,
            ]
        )
    }
}

private extension PageDocument {
    static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

    /// A policy that allows only these texts, and images in `data:` addresses.
    static func policy(style: String, scripts: [String]) -> String {
        func source(_ text: String) -> String { SHA256.policySource(of: text.utf8) }
        return
            "default-src 'none'; script-src \(scripts.map(source).joined(separator: " ")); style-src \(source(style)); "
            + "img-src data:; base-uri 'none'; form-action 'none'"
    }

    /// The text of an element.
    static func content(of element: String) -> String {
        let start = element.unicodeScalars.firstIndex(of: ">").map(element.unicodeScalars.index(after:))
        let end = element.unicodeScalars.lastIndex(of: "<")
        guard let start, let end, start <= end else { return "" }
        return String(element[start..<end])
    }
}

private extension StorePage {
    /// The address without a referral that was copied with it.
    var addressWithoutReferral: String {
        let bytes = Array(template.address.utf8)
        let tail = bytes.count - template.tailCount
        return String(decoding: bytes[..<(tail - "?ed=".utf8.count)] + bytes[tail...], as: UTF8.self)
    }
}
