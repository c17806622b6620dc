import ReferralBridge

/// `referral-tool page`: a landing page for an app, one HTML file.
enum PageCommand: Command {
    static let name = "page"

    static let help = """
        Makes a landing page for an app: one HTML file that needs nothing else, and sends nothing anywhere.

        usage: referral-tool page (--page ADDRESS | --app-id ID [--slug S] [--storefront CC])
                                  [--pt T --ct T] [--ppid UUID]
                                  --name NAME [--tagline TEXT] [--icon FILE]
                                  [--referrer NAME] [--ref NAME] [--param KEY=VALUE]...
                                  [--lang TAG] [--text PART=SENTENCE]... [--no-banner] [--out FILE]

          --page ADDRESS     an App Store address; it stays as it is, but for a referral that was copied along
          --app-id ID        the app's number, the digits behind id in its address
          --slug S           the app's name in the address, such as trestle-the-new-sudoku
          --storefront CC    the country in the address, such as us
          --pt T, --ct T     the provider and the campaign token, always both; ct has at most 40 bytes
          --ppid UUID        a custom product page
          --name NAME        what the app is called
          --tagline TEXT     a sentence under its name
          --icon FILE        its icon, PNG, JPEG, WebP or SVG, at most 256 KiB; it becomes a part of the page
          --referrer NAME    who sends those whose address says nobody; without it such visitors copy nothing
          --ref NAME         the item of the page's own address that says who sends people: ref without it, so that
                             https://example.com/page.html?ref=anna is Anna's link to the page
          --param KEY=VALUE  something else that the app is to know; as often as needed
          --lang TAG         the page's language, en without it: ar, de, en, es, fr, he, it, ja, ko, nl, pt, zh, zh-Hant,
                             or any other with all its sentences given
          --text PART=SENTENCE
                             another sentence for a part of the page: button, note, plain (the second link), copied (once
                             it is copied), phone, scan (both beside the QR code), code (what stands for it). In it {name}
                             is the app's name, and {contents} in the note is what the link holds, which people must see
          --no-banner        leaves out Safari's banner for the app; a tap on the banner copies nothing
          --out FILE         where it goes, in place of what is there; standard output without it

        The page works without JavaScript too, as an ordinary page with a link to the store. On iPhone and iPad its
        button copies a referral link, and it says so; on other devices it shows its own address as a QR code.

        example: referral-tool page --app-id 1300230302 --name Trestle --referrer spring-newsletter

        """

    static let options: [Option] =
        PageParts.options + [
            .value("--name"), .value("--tagline"), .value("--icon"), .value("--referrer"), .value("--ref"),
            .values("--param"), .value("--lang"), .values("--text"), .flag("--no-banner"), .value("--out"),
        ]

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoStrings()
        let store = try PageParts.storePage(arguments)
        guard let name = try shown("--name", arguments) else {
            throw .usage("--name is missing: what is the app called?")
        }
        let tagline = try shown("--tagline", arguments)
        let item = try arguments.read("--ref", "a query item has a name") { $0.isEmpty ? nil : $0 } ?? "ref"
        let parameters = try arguments.parameters("--param")
        try check(parameters, arguments)
        let language = try language(arguments)
        let sentences = try sentences(in: language, arguments)

        let iconFile = try arguments["--icon"].map { path throws(ToolError) in try ByteStream(reading: path) }
        let document = PageDocument(
            store: store,
            name: name,
            tagline: tagline,
            icon: try iconFile.map(PageIcon.init),
            referrer: arguments["--referrer"],
            referrerItem: item,
            parameters: try attributes(parameters),
            language: language,
            sentences: sentences,
            hasBanner: !arguments.contains("--no-banner")
        )
        let html = document.html
        if let path = arguments["--out"] {
            try ByteStream.replaceFile(path, with: html, apartFrom: iconFile.map { [$0] } ?? [])
        } else {
            try ByteStream.output.write(html)
        }
        return .done
    }
}

private extension PageCommand {
    /// A text that people read.
    static func shown(_ option: String, _ arguments: Arguments) throws(ToolError) -> String? {
        try arguments.read(option, "it is shown on the page, and takes some text without control characters") { text in
            let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
            let hasControls = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            return isBlank || hasControls ? nil : text
        }
    }

    /// Finds out now what would keep the snippet from copying anything.
    static func check(_ parameters: [String: String], _ arguments: Arguments) throws(ToolError) {
        do {
            _ = try Referral(referrer: arguments["--referrer"] ?? "x", timestamp: .now, parameters: parameters)
        } catch {
            switch error {
            case .invalidReferrer: throw .value(arguments["--referrer"] ?? "", of: "--referrer", error.description)
            case .reservedParameterName(let name): throw .value(name, of: "--param", error.description)
            default: throw .usage("--referrer and --param together: \(error)")
            }
        }
    }

    static func attributes(
        _ parameters: [String: String]
    ) throws(ToolError) -> [(attribute: String, name: String, value: String)] {
        try parameters.sorted { $0.key < $1.key }.map { name, value throws(ToolError) in
            guard let attribute = LinkElement.attribute(for: name) else {
                let form =
                    "on a page a parameter begins with a small letter, goes on with letters, digits, _ or ., and is not 'on'"
                throw .value(name, of: "--param", form)
            }
            return (attribute, name, value)
        }
    }

    static func language(_ arguments: Arguments) throws(ToolError) -> PageLanguage {
        let tag = arguments["--lang"] ?? "en"
        guard let language = PageLanguage(tag) else {
            throw .value(tag, of: "--lang", "a language is a tag such as de, pt-BR or zh-Hant")
        }
        return language
    }

    static func sentences(
        in language: PageLanguage,
        _ arguments: Arguments
    ) throws(ToolError) -> [PageSentence: String] {
        let parts = PageSentence.allCases.map(\.rawValue)
        var given: [PageSentence: String] = [:]
        for text in arguments.all("--text") {
            guard case (let part, let sentence?) = text.splitAtEquals, !sentence.isEmpty else {
                throw .value(text, of: "--text", "it takes PART=SENTENCE, such as 'button=Get {name}'")
            }
            guard let key = PageSentence(rawValue: part) else {
                let hint = Spelling.suggestion(for: part, among: parts)
                throw .value(part, of: "--text", "the parts are \(parts.joined(separator: ", "))\(hint)")
            }
            guard given.updateValue(sentence, forKey: key) == nil else {
                throw .value(text, of: "--text", "the part '\(part)' is given twice")
            }
            guard key != .note || PageTemplate.fill(sentence, ["contents": .text("")]) != sentence else {
                throw .value(text, of: "--text", "the note says what is copied: put {contents} into it")
            }
        }
        let missing = PageSentence.allCases.filter { given[$0] == nil }.map(\.rawValue)
        guard let spoken = language.sentences ?? (missing.isEmpty ? [:] : nil) else {
            let languages = PageSentence.languages.joined(separator: ", ")
            throw .value(
                language.tag,
                of: "--lang",
                "the page speaks \(languages); for another language give --text for \(missing.joined(separator: ", "))"
            )
        }
        return spoken.merging(given) { $1 }
    }
}
