/// The parts of a page that the rules need, in the order of the page.
final class HTMLPage {
    typealias Script = (element: HTMLElement, text: String)

    /// Links to the store, and elements with an attribute of the snippet.
    private(set) var links: [PageLink] = []

    /// The scripts that a browser runs, except those in SVG.
    private(set) var scripts: [Script] = []

    /// The scripts of a type that a browser doesn't run.
    private(set) var inertScripts: [Script] = []

    /// The `content` of each `Content-Security-Policy` that a browser applies.
    private(set) var policies: [HTMLElement.Attribute] = []

    /// The `content` of each Smart App Banner.
    private(set) var banners: [HTMLElement.Attribute] = []

    /// The base address of relative addresses.
    private(set) var base: String?

    /// Links with an item that has a mark of the text around it.
    private(set) var markedLinks: [PageLink] = []

    private(set) var hasTags = false

    /// Whether the page has any link.
    private(set) var hasLinks = false

    /// The offset of markup that is never closed, and so includes the rest of the page.
    private(set) var unclosed: Int?

    let isXML: Bool

    /// Policies count only in the head, which ends before the first content that isn't allowed in it.
    private var isInHead = true

    /// In a template, scripts don't run and policies don't apply. A script may insert its links.
    private var templateDepth = 0

    init(_ bytes: [UInt8], isXML: Bool) {
        self.isXML = isXML
        var tokenizer = HTMLTokenizer(bytes, isXML: isXML)
        while let token = tokenizer.next() {
            switch token {
            case .startTag(let element, let content):
                hasTags = true
                read(element, content)
            case .endTag(let name):
                if name == "template" { templateDepth = max(0, templateDepth - 1) }
                isInHead = isInHead && !["body", "html", "br"].contains(name)
            case .text(let text):
                isInHead = isInHead && (templateDepth > 0 || text.allSatisfy(\.isHTMLSpace))
            }
        }
        unclosed = tokenizer.unclosed
    }
}

private extension HTMLPage {
    static let headElements: Set<String> = [
        "html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "style", "script", "noscript",
        "noframes", "template",
    ]

    func read(_ element: HTMLElement, _ content: ArraySlice<UInt8>) {
        hasLinks = hasLinks || ["a", "area"].contains(element.name)
        isInHead = isInHead && (Self.headElements.contains(element.name) || templateDepth > 0)
        let mayBeOurs = element.attributes.contains { PageLink.isOurs($0.name) }
        if mayBeOurs || ["a", "area"].contains(element.name) {
            let link = PageLink(element)
            if mayBeOurs || link.storePage != nil || link.isStorePath { links.append(link) }
            if !link.markedItems.isEmpty { markedLinks.append(link) }
        }
        guard !element.isForeign else { return }
        switch element.name {
        case "template" where !isXML || !element.isSelfClosing: templateDepth += 1
        case "script" where templateDepth == 0: add(element, content)
        case "meta" where templateDepth == 0: read(meta: element)
        case "base" where templateDepth == 0:
            base = base ?? element["href"]?.value.trimmed
        default: break
        }
    }

    func read(meta: HTMLElement) {
        guard let content = meta["content"] else { return }
        if isInHead, meta["http-equiv"]?.value.asciiLowercased == "content-security-policy" { policies.append(content) }
        if meta["name"]?.value.asciiLowercased == "apple-itunes-app" { banners.append(content) }
    }

    func add(_ script: HTMLElement, _ content: ArraySlice<UInt8>) {
        // Without a type, the old attribute for the language counts.
        let language = script["language"]?.value.asciiLowercased ?? ""
        let type =
            script["type"]?.value.trimmed.asciiLowercased ?? (language.isEmpty ? "" : "text/" + language)
        let isInert = !type.isEmpty && type != "module" && !Self.isJavaScript(type)
        // Every browser that runs the snippet supports modules, and ignores these scripts.
        guard isInert || script["nomodule"] == nil || type == "module" else { return }
        // In XML, a script has character references, or it is in a section that has none.
        let isDecoded = isXML && content.firstRange(of: "<![CDATA[".utf8) == nil
        let code = isDecoded ? CharacterReferences.decoded(content) : String(decoding: content, as: UTF8.self)
        let text = isXML ? code.replacing("<![CDATA[", with: "").replacing("]]>", with: "") : code
        if isInert { inertScripts.append((script, text)) } else { scripts.append((script, text)) }
    }

    /// Whether browsers run scripts of a type, such as `text/javascript1.5` ("JavaScript MIME type" in the HTML standard).
    static func isJavaScript(_ type: String) -> Bool {
        let subtype = type.drop { $0 != "/" }.dropFirst()
        let name = subtype.dropFirst(subtype.hasPrefix("x-") ? 2 : 0).prefix { $0.isLetter }
        let version = type[name.endIndex...]
        return ["javascript", "ecmascript", "jscript", "livescript"].contains(name)
            && ["", "1.0", "1.1", "1.2", "1.3", "1.4", "1.5"].contains(version)
            && (type.hasPrefix("text/") || type.hasPrefix("application/"))
    }
}
