import ReferralBridge
import SiteCheck

/// `referral-tool page`: a landing page for an app, one HTML file.
enum PageCommand: Command {
    private static let shownForm = "it is shown on the page; it is text without control characters"
    private static let title = Option("--name", "NAME", "the app's name", form: shownForm, parse: shown)
    private static let tagline = Option(
        "--tagline",
        "TEXT",
        "a sentence below the name",
        form: shownForm,
        parse: shown
    )
    private static let icon = Option(
        "--icon",
        "FILE",
        "the app's icon, PNG, JPEG, WebP or SVG, at most 256 KiB, which becomes a part of the page"
    )
    private static let referrer = Option(
        "--referrer",
        "NAME",
        "the referrer of visitors whose address names none; without it they copy nothing"
    )
    private static let item = Option(
        "--ref",
        "NAME",
        """
        the item of the page's own address that names the referrer, ref by default, so that https://example.com/page.html?ref=anna \
        is Anna's link to the page
        """,
        form: "a query item has a name"
    ) { $0.isEmpty ? nil : $0 }
    private static let language = Option(
        "--lang",
        "TAG",
        """
        the page's language, en by default: \(PageSentence.languages.joined(separator: ", ")), or any other one with all its \
        sentences
        """,
        form: "a language is a tag such as de, pt-BR or zh-Hant",
        parse: PageLanguage.init
    )
    private static let sentence = Option(
        "--text",
        "PART=SENTENCE",
        """
        another sentence for a part of the page: button, note, plain (the second link), copied (after copying), phone, scan \
        (both beside the QR code), code (the text alternative of the QR code); {name} is the app's name, and {contents} in the \
        note is what the link contains, which people must see
        """,
        repeats: true,
        form: "it takes PART=SENTENCE, such as 'button=Get {name}'"
    ) { text -> (part: String, sentence: String)? in
        guard case (let part, let sentence?) = text.splitAtEquals, !sentence.isEmpty else { return nil }
        return (part, sentence)
    }
    private static let noBanner = Flag(
        "--no-banner",
        "omits Safari's banner for the app; a tap on the banner copies nothing"
    )
    private static let output = Option("--out", "FILE", "the file to write or replace, standard output by default")

    static let name = "page"
    static let summary = "makes a landing page, one HTML file"
    static let overview =
        "Makes a landing page for an app: one HTML file that needs nothing else and sends nothing anywhere."
    static let usages = [
        PageParts.usage + [.required(title)]
            + Usage.optional(tagline, icon, referrer, item, Option.parameter, language, sentence, noBanner, output)
            + LinkSigner.usage
    ]
    static let notes = """
        Without JavaScript, the page is an ordinary one with a link to the store. On iPhone and iPad its button copies a
        referral link and says so. On other devices it shows its own address as a QR code.

        With --sign, the page's own referrer and parameters are signed. Links to the page that name other referrers are signed
        with referral-tool links --landing --sign; the page hands their parameters and their signatures on, in place of its own
        parameters.
        """
    static let example = "referral-tool page --app-id 1300230302 --name Trestle --referrer spring-newsletter"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        let store = try PageParts.storePage(arguments)
        let name = try arguments.requiredValue(of: title)
        let tagline = try arguments.value(of: tagline)
        let item = try arguments.value(of: item) ?? "ref"
        let referrer = arguments.text(of: referrer)
        let signer = try LinkSigner(arguments, tap: nil)
        guard signer == nil || referrer != nil else {
            throw .usage("--sign signs the page's own referrer; give --referrer, or sign the links to the page")
        }
        // Finds what would keep the snippet from copying.
        let referral = try LinkCommand.referral(referrer ?? "x", .now, arguments, signer, for: store.appID)
        let language = try arguments.value(of: language) ?? .english
        let sentences = try sentences(in: language, arguments)

        let iconFile = try arguments.text(of: icon).map { path throws(ToolError) in try ByteStream(reading: path) }
        let document = PageDocument(
            store: store,
            name: name,
            tagline: tagline,
            icon: try iconFile.map(PageIcon.address),
            referrer: referrer,
            referrerItem: item,
            parameters: try attributes(referral.parameters),
            language: language,
            sentences: sentences,
            hasBanner: !arguments.contains(noBanner)
        )
        let html = document.html
        if let path = arguments.text(of: output) {
            try ByteStream.replaceFile(path, with: html, otherThan: [iconFile, signer?.file.stream].compactMap(\.self))
        } else {
            try ByteStream.output.write(html)
        }
        return .done
    }
}

private extension PageCommand {
    @Sendable static func shown(_ text: String) -> String? {
        let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return isBlank || hasControls ? nil : text
    }

    static func attributes(
        _ parameters: [String: String]
    ) throws(ToolError) -> [(attribute: String, name: String, value: String)] {
        try parameters.sorted { $0.key < $1.key }.map { name, value throws(ToolError) in
            guard let attribute = LinkElement.attribute(for: name) else {
                let form =
                    "on a page the name of a parameter is a small letter, then letters, digits, _ or ., and not 'on'"
                throw .value(name, of: Option.parameter, form)
            }
            return (attribute, name, value)
        }
    }

    static func sentences(
        in language: PageLanguage,
        _ arguments: Arguments
    ) throws(ToolError) -> [PageSentence: String] {
        let parts = PageSentence.allCases.map(\.rawValue)
        var given: [PageSentence: String] = [:]
        for (part, text) in try arguments.values(of: sentence) {
            guard let key = PageSentence(rawValue: part) else {
                let hint = Spelling.suggestion(for: part, among: parts)
                throw .value(part, of: sentence, "the parts are \(parts.joined(separator: ", "))\(hint)")
            }
            guard given.updateValue(text, forKey: key) == nil else {
                throw .value("\(part)=\(text)", of: sentence, "the part '\(part)' is given twice")
            }
            guard key != .note || PageTemplate.fill(text, ["contents": ""]) != text else {
                throw .value("\(part)=\(text)", of: sentence, "the note says what is copied: put {contents} into it")
            }
        }
        let missing = PageSentence.allCases.filter { given[$0] == nil }.map(\.rawValue)
        guard let translations = language.sentences ?? (missing.isEmpty ? [:] : nil) else {
            let languages = PageSentence.languages.joined(separator: ", ")
            throw .value(
                language.tag,
                of: Self.language,
                "the page has \(languages); for another language give --text for \(missing.joined(separator: ", "))"
            )
        }
        return translations.merging(given) { $1 }
    }
}
