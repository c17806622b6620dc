import ReferralSiteCheck
import WebFiles

/// A landing page: `web/landing.html` with its values, its style and its scripts. `web/landing-page.js` makes the same bytes.
final class PageDocument {
    let store: StorePage
    let name: String
    /// The address of the icon.
    var icon: String?
    /// The address of the picture that other services show for a link to the page.
    var image: String?
    /// The referrer of visitors whose address doesn't name one.
    var referrer: String?
    /// The query item of the page's own address that names the referrer, or its path with `*` in the referrer's place.
    let referrerFrom: String
    /// The parameters of the link, in order.
    var parameters: [(key: String, value: String)] = []
    /// The names of the items of the page's own address that it passes on without a signature.
    var handedOn: [String] = []
    /// The app's package in Google Play.
    var play: String?
    /// The bundle identifier of the App Clip.
    var clip: String?
    /// Whether the page shows an invitation if its address names a personal code.
    var isForInvitations = false
    /// Whether the site keeps the referrer of an address while the tab is open.
    var keepsReferrer = false
    /// Whether the button's address gets the referrer as its campaign token.
    var takesTokenFromReferrer = false
    /// The address to which the page reports views and taps.
    var countAddress: String?
    /// The page's languages. The first one is also for visitors with other languages and for those without JavaScript.
    var texts: [PageText] = []
    /// Whether Safari shows its banner for the app. The card of an App Clip is a part of the banner.
    var hasBanner = false

    init(_ store: StorePage, name: String, referrerFrom: String) {
        (self.store, self.name, self.referrerFrom) = (store, name, referrerFrom)
    }

    var html: String {
        let style = PageTemplate.content([WebFiles.pages_css, WebFiles.landing_css])
        let snippet = CopySnippet(format: .html(nonce: nil)).source
        let content = String(snippet.dropFirst("<script>".count).dropLast("</script>\n".count))
        let keep = keepsReferrer ? [WebFiles.referral_keep_min_js] : []
        let ofInvitation = isForInvitations ? [WebFiles.landing_invitation_min_js] : []
        let token = takesTokenFromReferrer ? [WebFiles.referral_ct_min_js] : []
        let ofCounts = countAddress == nil ? [] : [WebFiles.landing_count_min_js]
        let own = keep + token + [WebFiles.landing_min_js] + ofInvitation + ofCounts
        let scripts = [[WebFiles.qr_code_min_js], own].map(PageTemplate.content)
        let first = texts[0]
        let description = first.sentences["tagline"] ?? name
        let escaped: [String: String?] = [
            "lang": first.tag, "direction": first.direction, "version": ReferralTool.version,
            "name": name, "description": description, "title": title(first), "image": image,
            "banner": hasBanner || clip != nil
                ? SmartAppBanner.content(appID: store.appID.description, clip: clip) : nil,
        ]
        var values = escaped.mapValues { $0.map(LinkElement.escaped) }
        values["policy"] = Self.policy(styles: [style], scripts: [content] + scripts, countAddress)
        values["alternates"] = texts.count < 2 ? "" : alternates
        values["style"] = style
        values["snippet"] = snippet
        values["main"] = main(first, hasIcon: true)
        values["languages"] = texts.count < 2 ? "" : languages
        values["qr"] = scripts[0]
        values["script"] = scripts[1]
        return PageTemplate.fill(String(cString: WebFiles.landing_html), values)
    }

    private func title(_ text: PageText) -> String {
        text.sentences["tagline"].map { "\(name): \($0)" } ?? name
    }

    /// The addresses of the languages, for search engines.
    private var alternates: String {
        let lines = texts.map { ($0.tag, "?lang=\($0.tag)") } + [("x-default", "?")]
        return lines.map { "  <link rel=\"alternate\" hreflang=\"\($0)\" href=\"\($1)\">\n" }.joined()
    }

    /// The links to the languages, and the other languages' contents, which the page's script puts in place.
    private var languages: String {
        let links = texts.map { text in
            let tag = text.tag
            let name = LinkElement.escaped(text.sentences["language"] ?? tag)
            return "  <a href=\"?lang=\(tag)\" lang=\"\(tag)\" hreflang=\"\(tag)\">\(name)</a>\n"
        }
        let others = texts.dropFirst().map { text in
            """
            <template lang="\(text.tag)" dir="\(text.direction)" \
            title="\(LinkElement.escaped(title(text)))">
            \(main(text, hasIcon: false))</template>

            """
        }
        return "<nav class=\"languages\" id=\"languages\">\n\(links.joined())</nav>\n" + others.joined()
    }

    /// The page's contents in one language.
    private func main(_ text: PageText, hasIcon: Bool) -> String {
        let escaped: [String: String?] = [
            "name": name, "tagline": text.sentences["tagline"],
            "address": (try? store.withoutItems(named: ["ed"]))?.address ?? store.address,
            "play": play.map { "https://play.google.com/store/apps/details?id=\($0)" },
            "icon": hasIcon ? icon : nil, "initial": hasIcon && icon == nil ? initial : nil, "invited": nil,
            "kept": nil, "counted": nil,
        ]
        var values = escaped.mapValues { $0.map(LinkElement.escaped) }
        values["attributes"] = attributes
        for part in requiredParts { values[part == "play" ? "playButton" : part] = html(of: part, text) }
        return PageTemplate.fill(String(cString: WebFiles.landing_main_html), values)
    }

    /// The parts whose sentences the page needs in each of its languages.
    var requiredParts: [String] {
        let others =
            ["tagline", "language"] + (play == nil ? ["play", "playNote"] : [])
            + (isForInvitations ? [] : ["invited", "enter"]) + (keepsReferrer ? [] : ["kept"])
            + (countAddress == nil ? ["counted", "countedName"] : [])
        return PageText.parts.filter { !others.contains($0) }
    }

    /// The replacement for an icon: the name's first letter or digit, or its first character.
    private var initial: String? { (name.first { $0.isLetter || $0.isNumber } ?? name.first).map { String($0) } }

    private var attributes: String {
        var attributes = [(name: "data-referrer-from", value: referrerFrom)]
        if keepsReferrer { attributes.append(("data-referrer-keep", "")) }
        if takesTokenFromReferrer { attributes.append(("data-referrer-ct", "")) }
        if let countAddress { attributes.append(("data-count-to", countAddress)) }
        if let referrer { attributes.append(("data-referrer", referrer)) }
        if !handedOn.isEmpty { attributes.append(("data-referral-items", handedOn.joined(separator: " "))) }
        attributes += parameters.map { (LinkElement.attribute(for: $0.key) ?? "", $0.value) }
        return attributes.map { "\($0.name)=\"\(LinkElement.escaped($0.value))\"" }.joined(separator: " ")
    }

    /// A part's sentence with the app's name and the link's contents in it.
    private func html(of part: String, _ text: PageText) -> String {
        let name = LinkElement.escaped(name)
        // An element isolates a name of the other writing direction; an attribute can't contain one.
        let isAttribute = ["copied", "failed", "code"].contains(part)
        var values = ["name": isAttribute ? name : "<bdi>\(name)</bdi>"]
        // On Android, the page's script moves the contents into the other note.
        if part == "note" {
            values["contents"] = play == nil ? contents(text) : "<span id=\"contents\">\(contents(text))</span>"
        }
        if part == "playNote" { values["contents"] = "<span id=\"play-contents\"></span>" }
        return PageTemplate.fill(LinkElement.escaped(text.sentences[part] ?? ""), values)
    }

    /// The contents of the link: the referrer, the parameters and the signature. The page's script fills in the actual
    /// ones.
    private func contents(_ text: PageText) -> String {
        let signature = LinkElement.escaped(text.sentences["signature"] ?? "")
        let contents =
            ["<code><bdi id=\"referrer\">\(LinkElement.escaped(referrer ?? ""))</bdi></code>"]
            + shownParameters.map { "<code><bdi>\(LinkElement.escaped("\($0.key)=\($0.value)"))</bdi></code>" }
            + ["<em id=\"signature\"\(isSigned ? "" : " hidden")>\(signature)</em>"]
        return contents.joined(separator: " ")
    }

    private var isSigned: Bool {
        parameters.contains { $0.key == Referral.signatureName && Referral.signature($0.value) != nil }
    }

    /// The parameters that the note shows. For a valid signature, it shows only a word and the campaign's end as a day.
    /// Any other text with these names is shown, since it might say something about a person.
    private var shownParameters: [(key: String, value: String)] {
        guard isSigned else { return parameters }
        return parameters.filter { $0.key != Referral.signatureName }.map { name, value in
            (name, name == Referral.endName ? Self.day(value) : value)
        }
    }

    /// A campaign's end as a day, such as `2027-01-15`. An end that is thousands of years away is unchanged.
    private static func day(_ end: String) -> String {
        guard end.utf8.count <= 14, let milliseconds = Referral.campaignEnd(end) else { return end }
        return Day(ofSecond: Int(milliseconds / 1_000)).text
    }
}

extension PageDocument {
    /// A policy that allows only these texts, images in `data:` addresses, and requests to the address that counts.
    static func policy(styles: [String], scripts: [String], _ countAddress: String? = nil) -> String {
        func sources(_ texts: [String]) -> String {
            texts.map { SHA256.policySource(of: $0.utf8) }.joined(separator: " ")
        }
        let counting = countAddress.map { WebAddress($0).authority.map { "https://\($0)" } ?? "'self'" }
        return
            "default-src 'none'; script-src \(sources(scripts)); style-src \(sources(styles)); "
            + (counting.map { "connect-src \($0); " } ?? "")
            + "img-src data:; base-uri 'none'; form-action 'none'"
    }
}

/// A file with an app's icon. `web/builder/icon-file.js` has the same rules.
///
/// Only its type is checked. The page shows an icon as an image, in which no script runs and nothing is loaded.
struct IconFile {
    /// The maximum number of bytes. 256 by 256 pixels are enough for any screen.
    private static let maximumSize = 256 << 10

    /// The icon as a `data:` address.
    let address: String

    /// Reads an icon.
    init(_ stream: ByteStream) throws(ToolError) {
        let file = try stream.readAll(atMost: Self.maximumSize)
        do throws(RowError) {
            guard let file else {
                let size: Sentence = stream.size.map { "it has \($0) bytes" } ?? "it is too large"
                throw RowError("\(size), and an icon has at most \(Self.maximumSize); 256 by 256 pixels are enough")
            }
            address = "data:\(try Self.mediaType(of: file));base64,\(Base64.encode(file, .standard))"
        } catch {
            throw .badData("--icon \(quoted: stream.name): \(error.problem)")
        }
    }

    /// The type, by the first bytes or by the first element.
    private static func mediaType(of file: [UInt8]) throws(RowError) -> String {
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if file.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        let root = HTMLTokenizer.firstElement(ofXML: file)?.utf8.split(separator: ASCII.colon).last
        guard root?.elementsEqual("svg".utf8) == true else { throw RowError("it is not a PNG, JPEG, WebP or SVG") }
        let namespace = "http://www.w3.org/2000/svg"
        guard file.firstRange(of: Array(namespace.utf8)) != nil else {
            throw RowError("a browser shows it only with a namespace; add xmlns=\"\(name: namespace)\" to its <svg>")
        }
        return "image/svg+xml"
    }
}
