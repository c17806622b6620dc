/// What counts of a page, in the order in which it stands there.
struct HTMLPage {
    struct Script {
        let element: HTMLElement
        /// What stands between its tags.
        let text: String
    }

    /// Links to the store, and whatever has an attribute of the snippet's.
    private(set) var links: [PageLink] = []

    /// Scripts that a browser runs, those in SVG left out.
    private(set) var scripts: [Script] = []

    /// The `content` of each `Content-Security-Policy` that a browser goes by.
    private(set) var policies: [HTMLElement.Attribute] = []

    /// The `content` of each Smart App Banner.
    private(set) var banners: [HTMLElement.Attribute] = []

    /// The address that the page's relative ones go by.
    private(set) var base: String?

    /// Whether there is any tag at all.
    private(set) var hasTags = false

    /// Where something begins that takes the rest of the page in, since nothing closes it.
    private(set) var unclosed: Int?

    private let bytes: [UInt8]
    private let isXML: Bool

    /// Policies count in the head alone, which ends at the first thing that may not stand there.
    private var isInHead = true

    /// A template's scripts do not run and its policies do not count; its links are there for a script to put them in.
    private var templateDepth = 0

    init(_ bytes: [UInt8], isXML: Bool) {
        self.bytes = bytes
        self.isXML = isXML
        var tokenizer = HTMLTokenizer(bytes, isXML: isXML)
        var script: HTMLElement?
        while let token = tokenizer.next() {
            if let element = script.take() {
                if case .rawText(let range) = token { add(element, range) } else { add(element, 0..<0) }
            }
            switch token {
            case .startTag(let tag):
                hasTags = true
                script = read(tag)
            case .endTag(let name):
                if name == "template" { templateDepth = max(0, templateDepth - 1) }
            case .text(let range):
                isInHead = isInHead && bytes[range].allSatisfy(\.isHTMLSpace)
            case .rawText: break
            }
        }
        if let script { add(script, 0..<0) }
        unclosed = tokenizer.unclosed
    }
}

private extension HTMLPage {
    static let headElements: Set<String> = [
        "html", "head", "base", "basefont", "bgsound", "link", "meta", "title", "style", "script", "noscript",
        "noframes",
        "template",
    ]

    /// Takes what counts of a tag, and returns a script whose text comes next.
    mutating func read(_ tag: HTMLTag) -> HTMLElement? {
        isInHead = isInHead && (Self.headElements.contains(tag.name) || templateDepth > 0)
        readLink(tag)
        guard !tag.isForeign else { return nil }
        switch tag.name {
        case "template":
            if !isXML || !tag.isSelfClosing { templateDepth += 1 }
        case "script" where templateDepth == 0:
            return HTMLElement(tag, in: bytes)
        case "meta" where templateDepth == 0:
            read(meta: HTMLElement(tag, in: bytes))
        case "base" where base == nil:
            base = HTMLElement(tag, in: bytes)["href"]?.value.trimmed
        default: break
        }
        return nil
    }

    mutating func read(meta: HTMLElement) {
        guard let content = meta["content"] else { return }
        if isInHead, meta["http-equiv"]?.value.asciiLowercased == "content-security-policy" { policies.append(content) }
        if meta["name"]?.value.asciiLowercased == "apple-itunes-app" { banners.append(content) }
    }

    mutating func readLink(_ tag: HTMLTag) {
        let isOurs = tag.attributes.contains {
            bytes[$0.name].prefix(11).elementsEqual("data-referr".utf8) { $0.lowercased == $1 }
        }
        guard isOurs || tag.name == "a" || tag.name == "area" else { return }
        let link = PageLink(HTMLElement(tag, in: bytes))
        if link.isOurs || link.isToStore || link.hasParameters { links.append(link) }
    }

    mutating func add(_ script: HTMLElement, _ range: Range<Int>) {
        let type = script["type"]?.value.trimmed.asciiLowercased ?? ""
        guard type.isEmpty || type == "module" || Self.javaScriptTypes.contains(type) else { return }
        // Every browser that the snippet runs in knows modules, and passes over these.
        guard script["nomodule"] == nil || type == "module" else { return }
        var text = String(decoding: bytes[range], as: UTF8.self)
        if isXML { text = text.withoutSections }
        scripts.append(Script(element: script, text: text))
    }

    static let javaScriptTypes: Set<String> = [
        "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript",
        "application/x-javascript", "text/x-javascript",
    ]
}

private extension String {
    /// The text of an XML element: what stands inside of its CDATA sections as it is, the references outside of them read.
    var withoutSections: String {
        var text = ""
        var rest = Array(utf8)[...]
        while let start = rest.firstRange(of: "<![CDATA[".utf8) {
            text += CharacterReferences.decoded(rest[..<start.lowerBound])
            let section = rest[start.upperBound...]
            let end = section.firstRange(of: "]]>".utf8) ?? section.endIndex..<section.endIndex
            text += String(decoding: section[..<end.lowerBound], as: UTF8.self)
            rest = section[end.upperBound...]
        }
        return text + CharacterReferences.decoded(rest)
    }
}
