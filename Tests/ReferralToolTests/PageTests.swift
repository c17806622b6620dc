import Foundation
import Testing

/// `referral-tool page`. `web/tests/landing-page.test.mjs` compares the pages, and what is refused, with the builder's, and
/// `web/tests/browsers/test_landing.py` tests what they do in browsers.
struct PageTests {
    private static let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")

    func page(_ arguments: String...) throws -> String {
        let outcome = try Tool.run(["page", "--app-id", "42"] + arguments)
        #expect(outcome.status == 0, "\(outcome.error)")
        let notes = outcome.error.split(separator: "\n")
        #expect(notes.allSatisfy { $0.hasPrefix("referral-tool: note: a visitor whose address names no referrer") })
        return outcome.output
    }

    private func file(_ name: String) throws -> String {
        try String(contentsOf: Self.web.appending(path: name), encoding: .utf8)
    }

    /// The value of the first such attribute of the first element that a pattern finds, unescaped.
    func attribute(_ name: String, of element: String, in page: String) throws -> String {
        let tag = try #require(page.firstMatch(of: Regex("<[^>]*\(element)[^>]*>"))?.0.description)
        let value = try #require(tag.firstMatch(of: Regex("\\s\(name)=\"([^\"]*)\""))?.output[1].substring)
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(value)) { $0.replacing($1.0, with: $1.1) }
    }

    func inFolder<Result>(_ use: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try use(folder)
    }

    // MARK: What it holds

    @Test("the button is a link to the store that the snippet knows, and the second link is the same without it")
    func links() throws {
        let page = try page("--name=Trestle", "--referrer=spring", "--param=b=2", "--param=aB=1", "--slug=t")
        #expect(
            page.contains(
                """
                href="https://apps.apple.com/app/t/id42" data-referrer-from="ref" data-referrer="spring" \
                data-referral-a-b="1" data-referral-b="2">
                """
            )
        )
        #expect(page.contains("<a class=\"plain\" href=\"https://apps.apple.com/app/t/id42\">"))
        #expect(page.ranges(of: "data-referrer=").count == 1)
        #expect(page.ranges(of: "<h1").count == 1)
    }

    @Test(
        "what can't be is an error of usage",
        arguments: [
            ["--item=ref"], ["--item=until"], ["--item=a", "--item=a"], ["--param=items=x"], ["--play=trestle"],
            ["--play=com.example.a\"b"], ["--clip=a b.c"], ["--no-banner"], ["--play=a.b", "--text=playNote=hello"],
        ]
    )
    func wrongRoads(_ options: [String]) throws {
        let outcome = try Tool.run(["page", "--app-id=42", "--name=T"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
    }

    @Test(
        "a store's address stays as it is, but for an old referral",
        arguments: [
            ("https://apps.apple.com/us/app/a/id42?a=%20b+&ct=1&mt=8#top", nil),
            ("https://apps.apple.com/id42", nil),
            ("itms-apps://itunes.apple.com/app/id42?ppid=x", nil),
            ("https://apps.apple.com/id42?ed=eyJ9", "https://apps.apple.com/id42"),
            ("https://apps.apple.com/id42?ed=1&a=1&ed=2#ed=3", "https://apps.apple.com/id42?a=1#ed=3"),
        ]
    )
    func address(_ address: String, expected: String?) throws {
        let page = try Tool.run("page", "--page", address, "--name", "T").output
        for element in ["class=\"button\"", "class=\"plain\""] {
            #expect(try attribute("href", of: element, in: page) == expected ?? address)
        }
    }

    @Test("without a referrer of its own, a note says who copies nothing")
    func noReferrer() throws {
        let made = try Tool.run("page", "--app-id=42", "--name=T", "--ref=by")
        #expect(made.status == 0)
        #expect(
            made.error
                == "referral-tool: note: a visitor whose address names no referrer, as in ?by=anna, copies nothing; "
                + "for these visitors, give --referrer\n"
        )
        for option in ["--referrer=spring", "--invitations"] {
            #expect(try Tool.run("page", "--app-id=42", "--name=T", option).error == "", "\(option)")
        }
    }

    @Test("with --ct-from-referrer, the button takes the referrer as its ct, and the page's own token is optional")
    func tokenFromReferrer() throws {
        let script = try file("referral-ct.min.js")
        let cases = [
            (["--app-id=42", "--pt=9"], "id42?pt=9&amp;mt=8"),
            (["--app-id=42", "--pt=9", "--ct=web"], "id42?pt=9&amp;ct=web&amp;mt=8"),
            (["--page=https://apps.apple.com/app/id42?pt=9"], "id42?pt=9"),
            (["--page=https://apps.apple.com/app/id42?ct=own", "--pt=9"], "id42?pt=9&amp;ct=own&amp;mt=8"),
        ]
        for (options, address) in cases {
            let page = try Tool.run(["page", "--name=T", "--referrer=x", "--ct-from-referrer"] + options).output
            #expect(page.contains("\(address)\" data-referrer-from=\"ref\" data-referrer-ct=\"\" "), "\(options)")
            #expect(page.ranges(of: script).count == 1)
        }
        let other = try Tool.run("page", "--app-id=42", "--name=T", "--pt=9", "--ct=web").output
        #expect(!other.contains("data-referrer-ct"))
    }

    @Test("without a provider token, the App Store counts no ct")
    func tokenWithoutProvider() throws {
        for options in [["--app-id=42"], ["--page=https://apps.apple.com/app/id42?ct=x"]] {
            let outcome = try Tool.run(["page", "--name=T", "--ct-from-referrer"] + options)
            #expect(outcome.error.contains("--ct-from-referrer requires --pt: without it, the App Store counts no ct"))
            #expect(outcome.status == 64)
        }
    }

    @Test(
        "only a page that counts says so, in its language, and may ask the address",
        arguments: [
            ("/count", "'self'"), ("https://counts.example:8443/a?site=3", "https://counts.example:8443"),
            ("https://counts.example", "https://counts.example"), ("/", "'self'"),
        ]
    )
    func counts(address: String, source: String) throws {
        let script = try file("landing-count.min.js")
        let json = Data(try file("landing-sentences.json").utf8)
        for (tag, sentences) in try JSONDecoder().decode([String: [String: String]].self, from: json) {
            let page = try page("--name=T", "--referrer=x", "--count-to=\(address)", "--language=\(tag)")
            #expect(page.contains(" data-count-to=\"\(address)\""))
            #expect(page.contains("; connect-src \(source); "))
            #expect(page.contains("id=\"counted\" hidden>\(try #require(sentences["counted"]))</p>"), "\(tag)")
            #expect(page.ranges(of: script).count == 1)
        }
        let other = try page("--name=T", "--referrer=x")
        for part in ["connect-src", "id=\"counted\"", "data-count-to", script] { #expect(!other.contains(part)) }
    }

    // MARK: Text stays text

    private static let injections = [
        "</script><b>&\"", "\" onmouseover=\"alert(1)", "' x='", "<!--", "]]>", "</title><script>alert(1)</script>",
        "&lt;b&gt;",
        "{name}", "{#icon}", "{/tagline}", "{style}", "{", "}{", "\\u003cb\\u003e", "a\u{202E}b", "👩‍👩‍👧", "{contents}",
    ]

    @Test("whatever stands in an option comes out as text", arguments: injections)
    func staysText(_ text: String) throws {
        let plain = try page("--name", "x", "--tagline", "x", "--referrer", "x", "--param", "p=x", "--ref", "x")
        let options = ["--name", "--tagline", "--referrer", "--ref"].map { "\($0)=\(text)" }
        let page = try page(options[0], options[1], options[2], options[3], "--param=p=\(text)")
        #expect(try attribute("data-referrer", of: "id=\"store\"", in: page) == text)
        #expect(try attribute("data-referrer-from", of: "id=\"store\"", in: page) == text)
        #expect(try attribute("data-referral-p", of: "id=\"store\"", in: page) == text)
        #expect(try attribute("content", of: "og:title", in: page) == text)
        #expect(try attribute("content", of: "name=\"description\"", in: page) == text)
        for mark in ["<", ">", "\""] {
            #expect(page.ranges(of: mark).count == plain.ranges(of: mark).count, "no element or attribute more")
        }
    }

    // MARK: The policy

    private func policy(of page: String) throws -> String {
        try attribute("content", of: "Content-Security-Policy", in: page)
    }

    @Test("the policy names the hashes of the very scripts and the very style, and lets nothing else in")
    func policy() throws {
        let page = try page("--name", "</style><script>")
        var sources: [String] = []
        for (directive, element) in [("script-src", "script"), ("style-src", "style")] {
            let contents = page.matches(of: try Regex("(?s)<\(element)>(.*?)</\(element)>")).compactMap {
                $0.output[1].substring
            }
            #expect(contents.count == (element == "script" ? 3 : 1))
            let hashes = try contents.map { try "'sha256-\(openSSL(Data($0.utf8)).base64EncodedString())'" }
            sources.append("\(directive) \(hashes.joined(separator: " "))")
        }
        #expect(
            try policy(of: page)
                == "default-src 'none'; \(sources.joined(separator: "; ")); img-src data:; base-uri 'none'; form-action 'none'"
        )
        #expect(page.contains("charset=\"utf-8\">\n  <meta http-equiv=\"Content-Security"))
    }

    @Test("no handler and no style stands in an attribute, which the policy would forbid")
    func attributes() throws {
        let page = try page("--name", "T", "--tagline", "x", "--referrer", "x")
        let body = try #require(page.firstMatch(of: /(?s)<body>(.*?)<script>/)?.1)
        #expect(body.firstMatch(of: /\s(style|on\w+)=/) == nil)
        #expect(
            page.firstMatch(of: /(src|href)="(?!https:\/\/apps\.apple\.com\/|data:)/) == nil,
            "nothing else is asked for"
        )
    }

    // MARK: Wrong usage

    @Test(
        "wrong usage says what would be right",
        arguments: [
            (["--app-id", "42"], "--name is missing: the app's name"),
            (["--app-id", "42", "--name", ""], "--name '': it is shown on the page"),
            (["--app-id", "42", "--name", " \u{3000}"], "it is shown on the page"),
            (["--app-id", "42", "--name", "a\u{1B}[31m"], "without control characters"),
            (["--app-id", "42", "--name", "T", "--tagline", "a\nb"], "--tagline 'a"),
            (["--app-id", "42", "--name", "T", "--ref", ""], "--ref '': a query item has a name"),
            (["--app-id", "42", "--name", "T", "--param", "Pack=x"], "is a lowercase letter, followed by letters"),
            (["--app-id", "42", "--name", "T", "--param", "on=x"], "--param 'on'"),
            (["--app-id", "42", "--name", "T", "--language", "english"], "a language is a tag such as de"),
            (["--app-id", "42", "--name", "T", "--language", "sv"], "the page has ar, de, en"),
            (["--app-id", "42", "--name", "T", "--language", "de,en,DE"], "without repetitions"),
            (["--app-id", "42", "--name", "T", "--language", "de,"], "separate several with commas"),
            (["--app-id", "42", "--name", "T", "--language", "de,en", "--ref", "lang"], "lang names the language"),
            (["--app-id", "42", "--name", "T", "--language", "de,en", "--text", "scan=a"], "de.scan or en.scan"),
            (
                ["--app-id", "42", "--name", "T", "--text", "de.button=a"],
                "name one of the page's languages: en.button"
            ),
            (["--app-id", "42", "--name", "T", "--image", "a.png"], "begins with https:// and a host"),
            (["--app-id", "42", "--name", "T", "--text", "buton=x"], "did you mean 'button'?"),
            (["--app-id", "42", "--name", "T", "--text", "button"], "it must be PART=SENTENCE"),
            (["--app-id", "42", "--name", "T", "--text", "button="], "it must be PART=SENTENCE"),
            (
                ["--app-id", "42", "--name", "T", "--text", "scan=a", "--text", "scan=b"],
                "the part 'scan' is given twice"
            ),
            (["--app-id", "42", "--name", "T", "--text", "note=It copies."], "add {contents}"),
        ]
    )
    func wrongUsage(_ arguments: [String], message: String) throws {
        let outcome = try Tool.run(["page"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(outcome.error.contains(message))
        #expect(outcome.error.hasPrefix("referral-tool: "))
    }

    // MARK: The example

    @Test("web/example.html is what web/make-example makes now")
    func example() throws {
        try inFolder { folder in
            let file = folder.appending(path: "example.html")
            let outcome = try Tool.shell(
                "REFERRAL_TOOL='\(Tool.path)' '\(Self.web.path)/make-example' '\(file.path)'"
            )
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(
                try Data(contentsOf: file) == Data(contentsOf: Self.web.appending(path: "example.html")),
                "run web/make-example"
            )
        }
    }
}

private func openSSL(_ data: Data) throws -> Data {
    let (process, input, output) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "dgst", "-sha256", "-binary"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: data)
    try input.fileHandleForWriting.close()
    let digest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return digest
}
