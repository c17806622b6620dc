import ReferralSiteCheck

/// `referral-tool page`: makes a landing page for an app, as one HTML file.
enum PageCommand: Command {
    private static let shownForm: Sentence = "it is shown on the page; it is text without control characters"
    private static let title = Option("--name", "NAME", "the app's name", form: shownForm, parse: shown)
    private static let tagline = Option("--tagline", "TEXT", "a sentence below the name", form: shownForm, parse: shown)
    private static let icon = Option(
        "--icon",
        "FILE",
        "the app's icon, PNG, JPEG, WebP or SVG, at most 256 KiB, which becomes a part of the page"
    )
    private static let referrer = Option(
        "--referrer",
        "NAME",
        "the referrer of visitors whose address doesn't name one; without it, they copy nothing"
    )
    private static let item = Option(
        "--referrer-item",
        "NAME",
        """
        the item of the page's own address that names the referrer, via by default: https://example.com/page.html?via=anna \
        is Anna's link to the page; or a path such as /for/*, for a page that the server sends for each address that begins so: \
        https://example.com/for/anna
        """,
        form: "a query item has a name without /, other than ed, and a path begins with / and ends with *"
    ) { LandingItem.referrer.parse($0) ?? (LandingPage.isPath($0) ? $0 : nil) }
    private static let languages = Option(
        "--language",
        "TAGS",
        """
        the page's language, or several separated by commas, en by default: \
        \(PageText.languages.joined(separator: ", ")), or any other one with all its sentences; a page in several \
        shows the visitor's own, or the first
        """,
        form: "a language is a tag such as de, pt-BR or zh-Hant; separate several with commas, without repetitions"
    ) { text -> [PageText]? in
        let tags = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let texts = tags.compactMap(PageText.init)
        return texts.count == tags.count && Set(tags.map { $0.lowercased() }).count == tags.count ? texts : nil
    }
    private static let sentence = Option(
        "--text",
        "PART=SENTENCE",
        """
        another sentence for a part of the page: button, note, signature (its word in the note), plain (the second link), \
        copied (after copying), failed (after a tap that may have copied nothing), play (Google Play's button), playNote \
        (what it carries), invited and enter (with --invitations), kept (with --keep), counted and countedName (with --count-to; who sent the visitor), phone, scan (both beside the QR code), \
        local (in its place if the page is opened as a file), code (the text alternative of the QR code), tagline, \
        language (its name in the choice of languages); {name} is the app's name, and {contents} in the notes is what the link \
        contains, which visitors must see; on a page in several languages, de.button is the part in German
        """,
        repeats: true,
        form: "it must be PART=SENTENCE, such as 'button=Get {name}'"
    ) { text -> (part: String, sentence: String)? in
        guard case (let part, let sentence?) = text.splitAtEquals, shown(sentence) != nil else { return nil }
        return (part, sentence)
    }
    private static let image = Option(
        "--image",
        "ADDRESS",
        """
        the https address of an image that other services show for a link to the page; by default it is the icon, which many \
        of them can't show, since it has no address
        """,
        form: "an address begins with https:// and a host, without spaces"
    ) { WebAddress($0).site?.hasPrefix("https://") == true && !$0.utf8.contains(ASCII.space) ? shown($0) : nil }
    private static let play = Option(
        "--play",
        "PACKAGE",
        "the app in Google Play, such as com.example.trestle: on Android, its button carries the referral; elsewhere, both stores",
        form: "a package is names of letters, digits and _ with dots between them, each beginning with a letter"
    ) { $0.hasForm(#"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+"#) ? $0 : nil }
    private static let clip = Option.bundle(
        "--clip",
        "the bundle identifier of the app's App Clip, which Safari offers as a card; this includes --banner"
    )
    private static let invitations = Flag(
        "--invitations",
        """
        for the codes of people who invite others, as the library ReferralInvitations makes them: if the page's address names one, the \
        page says that a friend invited the visitor, and shows the code
        """
    )
    private static let keep = Flag(
        "--keep",
        """
        for a site of several pages: keeps the referrer of an address while the tab is open, in the session storage, for this \
        page and those with the output of referral-tool snippet --keep; the page says so
        """
    )
    private static let tokenFromReferrer = Flag(
        "--ct-from-referrer",
        """
        for a page with --pt: at the tap, the button's address gets the referrer as its ct, so that App Store Connect counts \
        each referrer; a referrer that isn't 1 to 40 letters, digits or . _ - ~ leaves the page's own --ct, or none
        """
    )
    private static let countTo = Option(
        "--count-to",
        "ADDRESS",
        """
        reports each view and each tap on a button to a path of the same site or an https address, as in \
        /tap?event=tap&via=anna&copied=1, which referral-tool report reads from the access log; the page says so, and sends \
        nothing if the browser asks not to be tracked
        """,
        form: "it is a path that begins with one /, or begins with https:// and a host; escape spaces, # and \\ in it"
    ) { text in
        // A browser would read // at the beginning as a host. The page's policy names the host.
        text.hasForm(##"(/(?!/)|https://[A-Za-z0-9.-]+(:[0-9]+)?(?![^/?]))[!"$-\[\]-~]*"##) ? text : nil
    }
    private static let banner = Flag("--banner", "adds Safari's banner for the app; \(SmartAppBanner.effect.text)")
    private static let output = Option("--out", "FILE", "the file to write or replace; standard output by default")

    static let name = "page"
    static let summary = "makes a landing page, one HTML file"
    static let overview =
        "Makes a landing page for an app: one HTML file that needs nothing else, and sends nothing without --count-to."
    static let usages: [[Usage]] = [
        PageParts.usage + [.required(title)]
            + Usage.optional(tagline, icon, image, referrer, item, LandingItem.handedOn, Option.parameter, invitations)
            + Usage.optional(keep, tokenFromReferrer, countTo, play, clip, languages, sentence, banner, output)
            + LinkSigner.usage
    ]
    static let notes = """
        Without JavaScript, the page is an ordinary one with a link to the store. On iPhone and iPad, its button copies a
        referral link, and the page explains this. On other devices, it shows its own address as a QR code; with --play,
        Android's visitors get a link to Google Play instead, which referral-tool decode --play judges.

        A page in several languages has a link to each of them. The item lang of its address chooses one, as in
        https://example.com/get?lang=de&via=anna.

        With --count-to, the browser sends a POST without a body. Let the server answer it with a status of 2xx, and count
        the log with referral-tool report --log access.log --count /tap.

        The app's LandingPage needs the names of --item as its parameterItems. With --sign, the page's own referrer and
        parameters are signed. Links that name other referrers are signed with referral-tool links --landing --sign.
        """
    static let example = "referral-tool page --app-id 1300230302 --name Trestle --referrer spring-newsletter"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        let store = try PageParts.storePage(arguments, tokenIsOptional: arguments.contains(tokenFromReferrer))
        guard !arguments.contains(tokenFromReferrer) || store.item(named: "pt")?.isEmpty == false else {
            throw .usage("--ct-from-referrer requires --pt: without it, the App Store counts no ct")
        }
        let name = try arguments.requiredValue(of: title)
        let from = try arguments.value(of: item) ?? "via"
        let isPath = LandingPage.isPath(from)
        let item = isPath ? "via" : from
        guard !isPath || !arguments.contains(keep) else {
            throw .usage("--keep is for a query item; a path names the referrer for its own page only")
        }
        let referrer = arguments.text(of: referrer)
        let signer = try LinkSigner(arguments, tap: nil)
        guard signer == nil || referrer != nil else {
            throw .usage("--sign signs the page's own referrer; give --referrer, or sign the links to the page")
        }
        // Finds errors that would prevent the snippet from copying.
        let referral = try LinkCommand.referral(referrer ?? "x", .now, arguments, signer, for: store.appID)
        let parameters = referral.parameters.sorted { $0.key < $1.key }
        if let name = parameters.first(where: { LinkElement.attribute(for: $0.key) == nil })?.key {
            throw .value(name, of: Option.parameter, LinkElement.nameForm)
        }
        guard referral.parameters["items"] == nil else {
            throw .value("items", of: Option.parameter, "on a landing page, data-referral-items has another meaning")
        }
        let files = RunFiles()
        if let signer { try files.read(signer.file.stream) }
        let icon = try arguments.text(of: icon).map { path throws(ToolError) in try IconFile(try files.input(path)) }
        let document = PageDocument(store, name: name, referrerFrom: from)
        document.icon = icon?.address
        document.image = try arguments.value(of: image) ?? icon?.address
        document.referrer = referrer
        document.parameters = parameters
        document.handedOn = try LandingItem.handedOn(arguments, besides: item)
        document.play = try arguments.value(of: play)
        document.clip = try arguments.value(of: clip)
        document.isForInvitations = arguments.contains(invitations)
        document.keepsReferrer = arguments.contains(keep)
        document.takesTokenFromReferrer = arguments.contains(tokenFromReferrer)
        document.countAddress = try arguments.value(of: countTo)
        document.hasBanner = arguments.contains(banner)
        document.texts = try texts(arguments, document.requiredParts)
        guard document.texts.count == 1 || item != "lang" else {
            throw .value(item, of: Self.item, "on a page in several languages, the item lang names the language")
        }
        try files.output(arguments.text(of: output) ?? "-").write(document.html)
        if referrer == nil, !arguments.contains(invitations) {
            ByteStream.note(
                "note: a visitor whose address names no referrer, as in "
                    + (isPath ? "\(name: from.dropLast())anna" : "?\(name: from)=anna")
                    + ", copies nothing; for these visitors, give --referrer"
            )
        }
        // EasyPrivacy refuses `.com/count?`, and beacons to other hosts.
        if let place = document.countAddress, !place.hasPrefix("/") || place.split(separator: "?")[0] == "/count" {
            ByteStream.note("note: ad blockers stop many counts to \(name: place); give a path such as /tap")
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

    /// The sentences of the page in each of its languages.
    static func texts(_ arguments: Arguments, _ required: [String]) throws(ToolError) -> [PageText] {
        var texts = try arguments.value(of: languages) ?? [PageText("en")].compactMap(\.self)
        var given: Set<String> = []
        for (part, text) in try arguments.values(of: sentence) {
            let (index, name) = try place(of: part, texts.map(\.tag))
            guard given.insert("\(index) \(name)").inserted else {
                throw .value("\(part)=\(text)", of: sentence, "the part '\(name: part)' is given twice")
            }
            guard !["note", "playNote"].contains(name) || PageTemplate.fill(text, ["contents": ""]) != text else {
                let isCopied: Sentence = name == "note" ? "what is copied" : "what the link contains"
                throw .value("\(part)=\(text)", of: sentence, "the note must show \(isCopied): add {contents}")
            }
            texts[index].sentences[name] = text
        }
        let tagline = try arguments.value(of: tagline)
        for index in texts.indices {
            let missing = required.filter { texts[index].sentences[$0] == nil }.joined(separator: ", ")
            guard missing.isEmpty else {
                let known = PageText.languages.joined(separator: ", ")
                let problem: Sentence =
                    "the page has \(name: known); for another language give --text for \(reason: missing)"
                throw .value(texts[index].tag, of: languages, problem)
            }
            texts[index].sentences["tagline"] = texts[index].sentences["tagline"] ?? tagline
        }
        return texts
    }

    /// The language and the name of a part such as `button` or `de.button`.
    private static func place(of part: String, _ tags: [String]) throws(ToolError) -> (index: Int, name: String) {
        let words = part.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, language) = (words.last ?? "", words.count > 1 ? words[0] : tags.count == 1 ? tags[0] : "")
        guard let index = tags.firstIndex(where: { $0.lowercased() == language.lowercased() }) else {
            let choices = tags.map { "\($0).\(name)" }.joined(separator: " or ")
            throw .value(part, of: sentence, "name one of the page's languages: \(name: choices)")
        }
        guard PageText.parts.contains(name) else {
            let hint = Spelling.suggestion(for: name, among: PageText.parts)
            throw .value(part, of: sentence, "the parts are \(reason: PageText.parts.joined(separator: ", "))\(hint)")
        }
        return (index, name)
    }
}
