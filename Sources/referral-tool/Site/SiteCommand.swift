import ReferralFoundation
import ReferralSiteCheck
import WebFiles

/// `referral-tool site`: makes the files that associate a site with an app.
enum SiteCommand: Command {
    private static let appID = Option.appID("the app")
    private static let team = Option(
        "--team",
        "TEAMID",
        "the prefix of the app's id, usually the developer team",
        form: "a team has 10 capital letters and digits, such as ABCDE12345"
    ) { $0.hasForm("[A-Z0-9]{10}") ? $0 : nil }
    private static let bundle = Option.bundle("--bundle", "the app's bundle id")
    private static let clip = Option.bundle("--clip", "the bundle id of the app's App Clip")
    private static let domain = Option(
        "--domain",
        "HOST",
        "the site's host",
        form: "a host is a name such as example.com, without a scheme, a port or a path"
    ) { text in
        let label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
        let isHost = { (host: String) in host.utf8.count <= 253 && host.hasForm(#"\#(label)(\.\#(label))+"#) }
        return HostName.ascii(text[...]).flatMap { isHost($0) ? $0 : nil }
    }
    private static let path = Option(
        "--path",
        "PATH",
        """
        the path of a landing page, /get by default; a * at its end is the referrer, as in /for/*, or with --referrer-item, any \
        rest; the option can be repeated
        """,
        repeats: true,
        form:
            "a path begins with a slash, such as /get or /boards/*, without ?, #, spaces and $; write other characters as %C3%A4"
    ) { $0.hasForm(#"/[A-Za-z0-9/._~!&+,;=:@%-]*\*?"#) ? $0 : nil }
    private static let scheme = Option(
        "--scheme",
        "NAME",
        "a scheme of addresses that open the app; the option can be repeated",
        repeats: true,
        form: "a scheme is a name such as trestle; it begins with a letter, has no colon, and isn't one of the system's"
    ) { text in
        AppScheme.isValid(text) && !AppScheme.systemSchemes.contains(text.asciiLowercased) ? text : nil
    }
    private static let output = Option("--out", "FOLDER", "the folder for new files; standard output by default")

    static let name = "site"
    static let summary = "makes the files that let a site's links open the app"
    static let overview = """
        Makes the files for universal links and an App Clip: the site's apple-app-site-association, the app's entitlements and
        Info.plist entries, the Smart App Banner, and the steps from there to a link that opens the app.
        """
    static let usages: [[Usage]] = [
        [.required(appID), .required(team), .required(bundle), .required(domain)]
            + Usage.optional(path, LandingItem.referrer, clip, scheme, output)
    ]
    static let notes = """
        A landing page's address opens the app only if it names a referrer: /get?via=anna or /for/anna, but not /get.
        """
    static let example =
        "referral-tool site --app-id 1300230302 --team ABCDE12345 --bundle com.example.app --domain example.com --path /get"

    static func run(_ arguments: Arguments) throws(ToolError) -> ExitStatus {
        try arguments.expectNoOperands()
        let paths = try arguments.values(of: path)
        let association = SiteAssociation(
            appID: try arguments.requiredValue(of: appID),
            team: try arguments.requiredValue(of: team),
            bundle: try arguments.requiredValue(of: bundle),
            domain: try arguments.requiredValue(of: domain),
            paths: paths.isEmpty ? ["/get"] : paths,
            item: try arguments.value(of: LandingItem.referrer),
            clip: try arguments.value(of: clip),
            schemes: try arguments.values(of: scheme)
        )
        if let clip = association.clip, !clip.hasPrefix(association.bundle + ".") {
            let example: Sentence = "\(name: association.bundle).Clip"
            throw .value(clip, of: Self.clip, "it must begin with the app's bundle id and a period: \(example)")
        }
        let files = association.files
        if let folder = arguments.text(of: output) {
            try write(files, into: folder)
            try ByteStream.output.write(association.steps)
        } else {
            let texts = files.map { "==> \($0.path) <==\n\($0.text)" }
            try ByteStream.output.write(texts.joined(separator: "\n"))
        }
        return .done
    }
}

// MARK: - Options

extension Option<String> {
    static func bundle(_ name: String, _ help: String) -> Option {
        let form: Sentence = "a bundle id has letters, digits, hyphens and periods, such as com.example.app"
        return Option(name, "BUNDLE", help, form: form) { text in
            text.utf8.count <= 155 && text.hasForm(#"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"#) ? text : nil
        }
    }
}

// MARK: - Files

private extension SiteCommand {
    /// Writes files into a folder. If one of them exists with another content, none is written.
    static func write(_ files: [SiteAssociation.File], into folder: String) throws(ToolError) {
        let root = folder.hasSuffix("/") ? folder : folder + "/"
        for (name, text) in files where access(root + name, F_OK) == 0 {
            let old = try ByteStream(reading: root + name)
            defer { old.close() }
            guard try old.readAll(atMost: text.utf8.count) == Array(text.utf8) else {
                throw .usage("\(whole: root + name) exists already; move it, or choose another folder for --out")
            }
        }
        for path in [root, root + ".well-known"] where mkdir(path, 0o777) != 0 && errno != EEXIST {
            throw .inputOutput("\(whole: path): \(reason: ByteStream.reason)")
        }
        for (name, text) in files { try OutputFile(path: root + name).write(text) }
    }
}

/// The files that associate a site with an app.
struct SiteAssociation {
    typealias File = (path: String, text: String)

    let appID: AppID
    let team: String
    let bundle: String
    let domain: String
    let paths: [String]
    /// The query item that names the referrer, if it was given. Otherwise, it is `via`, or a `*` at the end of a path.
    let item: String?
    let clip: String?
    let schemes: [String]

    var files: [File] {
        let domains = "com.apple.developer.associated-domains"
        let clips = clip == nil ? [] : ["appclips:\(domain)"]
        var files = [
            (".well-known/apple-app-site-association", association),
            ("App.entitlements", Self.list([domains: ["applinks:\(domain)"] + clips])),
        ]
        if clip != nil {
            let parents = ["com.apple.developer.parent-application-identifiers": ["$(AppIdentifierPrefix)\(bundle)"]]
            files.append(("Clip.entitlements", Self.list(parents.merging([domains: clips]) { $1 })))
        }
        if !schemes.isEmpty {
            files.append(("Info.plist", Self.list(["CFBundleURLTypes": [["CFBundleURLSchemes": schemes]]])))
        }
        return files + [("banner.html", banner), ("steps.txt", steps)]
    }

    // MARK: - The site

    private var association: String {
        // * alone would also match an address without a referrer.
        let query = #", "?": {\#(JSONText.string(item ?? "via")): "?*"}"#
        let components = paths.map { path in
            #"          {"/": \#(JSONText.string(path))\#(isPattern(path) ? "" : query)}"#
        }
        let clips = clip.map { #",\#n  "appclips": {"apps": ["\#(team).\#($0)"]}"# } ?? ""
        let values = ["app": "\(team).\(bundle)", "components": components.joined(separator: ",\n"), "clips": clips]
        return PageTemplate.fill(String(cString: WebFiles.site_association_txt), values)
    }

    /// Whether the referrer is in the path, in place of its `*`.
    private func isPattern(_ path: String) -> Bool { item == nil && path.utf8.last == ASCII.asterisk }

    /// The first page's address, with a referrer for taps on the banner.
    private var address: String {
        let path = paths.first { $0.utf8.last != ASCII.asterisk } ?? paths[0]
        let page = "https://\(domain)\(path.utf8.last == ASCII.asterisk ? String(path.dropLast()) : path)"
        return isPattern(path) ? page + "banner" : "\(page)?\(PercentEncoding.encode(item ?? "via"))=banner"
    }

    private var banner: String {
        let content = SmartAppBanner.content(appID: appID.description, clip: clip, argument: address)
        return "<meta name=\"apple-itunes-app\" content=\"\(LinkElement.escaped(content))\">\n"
    }

    // MARK: - The app

    private static func list(_ members: some Encodable) -> String {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        // Every text can be encoded.
        return (try? encoder.encode(members)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    // MARK: - Steps

    /// The numbered steps of `web/site-steps.txt`, which are separated by empty lines.
    var steps: String {
        let pages = paths.map { path in
            let other = item.map { ", referrerItem: \(JSONText.string($0))" } ?? ""
            let place = isPattern(path) ? ", referrerIn: .path" : other
            return "    LandingPage(\(JSONText.string("https://\(domain)\(path)"))\(place))"
        }
        let values: [String: String?] = [
            "domain": domain, "address": address, "app": appID.description, "clip": clip,
            "plain": clip == nil ? "" : nil, "schemes": schemes.isEmpty ? nil : "",
            "pages": pages.joined(separator: "\n"), "effect": SmartAppBanner.effect.text,
        ]
        let text = PageTemplate.fill(String(cString: WebFiles.site_steps_txt), values)
        return text.dropLast().split(separator: "\n\n").enumerated()
            .map { "\($0 + 1). \($1.replacing("\n", with: "\n   "))\n" }.joined(separator: "\n")
    }
}
