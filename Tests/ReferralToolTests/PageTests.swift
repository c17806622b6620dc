import Foundation
import Testing

/// `referral-tool page`; what the pages do in browsers is tested in `web/tests/browsers/test_landing.py`.
struct PageTests {
    private static let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web")

    private func page(_ arguments: String...) throws -> String {
        let outcome = try Tool.run(["page", "--app-id", "42"] + arguments)
        #expect(outcome.status == 0, "\(outcome.error)")
        #expect(outcome.error == "")
        return outcome.output
    }

    /// The value of the first such attribute of the first element that a pattern finds, unescaped.
    private func attribute(_ name: String, of element: String, in page: String) throws -> String {
        let tag = try #require(page.firstMatch(of: Regex("<[^>]*\(element)[^>]*>"))?.0.description)
        let value = try #require(tag.firstMatch(of: Regex("\\s\(name)=\"([^\"]*)\""))?.output[1].substring)
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(value)) { $0.replacing($1.0, with: $1.1) }
    }

    private func inFolder<Result>(_ use: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try use(folder)
    }

    // MARK: What it holds

    @Test("the button is a link to the store that the snippet knows, and the second link is the same without it")
    func links() throws {
        let page = try page(
            "--name",
            "Trestle",
            "--referrer",
            "spring",
            "--param",
            "b=2",
            "--param",
            "aB=1",
            "--slug",
            "t"
        )
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
        #expect(page.contains("<meta name=\"apple-itunes-app\" content=\"app-id=42\">"))
    }

    @Test("without a referrer of its own the page takes it from its address alone")
    func referrerItem() throws {
        #expect(try page("--name", "T").contains(" data-referrer-from=\"ref\">"))
        let page = try page("--name", "T", "--ref", "from & \"by\"")
        #expect(page.contains(" data-referrer-from=\"from &amp; &quot;by&quot;\">"))
        #expect(!page.contains("data-referrer=\""))
    }

    @Test("the snippet is the one that the command gives, once")
    func snippet() throws {
        let snippet = try Tool.run("snippet", "--format", "html", "--min").output
        #expect(try page("--name", "T").ranges(of: snippet).count == 1)
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

    @Test(
        "without an icon the name's first letter stands for it",
        arguments: [
            ("Trestle", "T"), ("  <b>", "b"), ("“É”", "É"), ("👩‍👩‍👧 a", "a"), ("👩‍👩‍👧", "👩‍👩‍👧"), ("<>", "&lt;"), ("مرسى", "م"),
        ]
    )
    func initial(_ name: String, letter: String) throws {
        #expect(try page("--name", name).contains("aria-hidden=\"true\">\(letter)</div>"))
    }

    @Test("the banner can be left out")
    func banner() throws {
        #expect(try !page("--name", "T", "--no-banner").contains("apple-itunes-app"))
    }

    @Test("what is not given is not there")
    func bare() throws {
        let page = try page("--name", "Trestle")
        #expect(!page.contains("class=\"lead\""))
        #expect(!page.contains("<img"))
        #expect(page.contains("<title>Trestle</title>"))
        #expect(page.contains("<div class=\"icon initial\" aria-hidden=\"true\">T</div>"))
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
        let page = try page(
            "--name",
            text,
            "--tagline",
            text,
            "--referrer",
            text,
            "--param",
            "p=\(text)",
            "--ref",
            text
        )
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

    // MARK: Size

    @Test("a page has less than 21 kB without its icon, in every language")
    func size() throws {
        for language in ["ar", "de", "en", "es", "fr", "he", "it", "ja", "ko", "nl", "pt", "zh", "zh-Hant"] {
            let page = try page(
                "--name",
                String(repeating: "n", count: 30),
                "--tagline",
                String(repeating: "t", count: 200),
                "--referrer",
                String(repeating: "r", count: 100),
                "--param",
                "pack=gold",
                "--language",
                language
            )
            #expect(page.utf8.count < 21_000, "\(language)")
        }
    }

    // MARK: The icon

    private static let icons: [(name: String, bytes: [UInt8], kind: String)] = [
        ("a.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1], "image/png"),
        ("a.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 2, 3], "image/jpeg"),
        ("no-extension", Array("RIFF1234WEBPVP8 ".utf8), "image/webp"),
        ("wrong.png", Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), "image/svg+xml"),
    ]

    @Test("an icon is told by its first bytes and becomes a part of the page", arguments: icons.indices)
    func icon(_ index: Int) throws {
        let icon = Self.icons[index]
        try inFolder { folder in
            let file = folder.appending(path: icon.name)
            try Data(icon.bytes).write(to: file)
            let page = try page("--name", "A \"b\"", "--icon", file.path())
            #expect(
                try attribute("src", of: "class=\"icon\"", in: page)
                    == "data:\(icon.kind);base64,\(Data(icon.bytes).base64EncodedString())"
            )
            #expect(try attribute("alt", of: "class=\"icon\"", in: page) == "A \"b\"")
            #expect(!page.contains("class=\"icon initial\""))
        }
    }

    // The rules are tested in PicturesTests.
    private static let noIcons: [(text: String, problem: String)] = [
        ("", "it is empty"), ("GIF89a", "it is not a PNG, JPEG, WebP or SVG"),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\">\n<script/></svg>",
            "line 2: <script> isn't allowed, since an icon only draws; export it as plain SVG"
        ),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:a=\"b\"/>",
            "line 1: 'xmlns:a' isn't SVG but an editor's own; export it as plain SVG, in Illustrator without its editing"
        ),
    ]

    @Test("what is no icon is refused, and an old page stays", arguments: noIcons.indices)
    func noIcon(_ index: Int) throws {
        try inFolder { folder in
            let (icon, out) = (folder.appending(path: "icon.png"), folder.appending(path: "out.html"))
            try Data(Self.noIcons[index].text.utf8).write(to: icon)
            try Data("old".utf8).write(to: out)
            let outcome = try Tool.run(
                "page",
                "--app-id",
                "42",
                "--name",
                "T",
                "--icon",
                icon.path(),
                "--out",
                out.path()
            )
            #expect(outcome.status == 65)
            #expect(outcome.output == "")
            #expect(outcome.error.contains(Self.noIcons[index].problem), "\(outcome.error)")
            #expect(try String(contentsOf: out, encoding: .utf8) == "old")
        }
    }

    @Test("an icon may have 256 KiB and not a byte more")
    func iconSize() throws {
        try inFolder { folder in
            let file = folder.appending(path: "icon")
            for (count, status) in [(262_144, 0), (262_145, 65), (5_000_000, 65)] {
                try Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: count - 3)).write(to: file)
                let outcome = try Tool.run("page", "--app-id", "42", "--name", "T", "--icon", file.path())
                #expect(outcome.status == Int32(status))
                #expect(status == 0 || outcome.error.contains("it has \(count) bytes, and a page takes at most 262144"))
            }
        }
        let endless = try Tool.run("page", "--app-id", "42", "--name", "T", "--icon", "/dev/zero")
        #expect(endless.status == 65)
        #expect(endless.error.contains("too large"))
    }

    @Test(
        "an icon that is not there",
        arguments: [("/nowhere/icon.png", "No such file"), ("/tmp", "it is a directory")]
    )
    func missingIcon(_ path: String, problem: String) throws {
        let outcome = try Tool.run("page", "--app-id", "42", "--name", "T", "--icon", path)
        #expect(outcome.status == 66)
        #expect(outcome.error.contains(problem))
        #expect(outcome.output == "")
    }

    // MARK: Where it goes

    @Test("it goes to standard output, or to a file in place of what is there")
    func out() throws {
        try inFolder { folder in
            let file = folder.appending(path: "page.html")
            try Data(repeating: 0x78, count: 100_000).write(to: file)
            #expect(try page("--name", "T", "--out", file.path()) == "")
            #expect(try String(contentsOf: file, encoding: .utf8) == page("--name", "T"))
        }
    }

    #if os(Linux)
    @Test("a page that cannot be written whole leaves the one that is there, and nothing beside it")
    func failedOut() throws {
        try Tool.inFolder(["page.html": Data("old".utf8)]) { folder in
            for name in ["page.html", "new.html"] {
                let outcome = try Tool.shell(
                    "cd \(folder); ulimit -f 2; referral-tool page --app-id 42 --name T --out \(name); echo $? >&2; ls -A; cat page.html"
                )
                #expect(outcome.error == "referral-tool: cannot write to \(name): File too large\n74\n")
                #expect(outcome.output == "page.html\nold")
            }
        }
    }
    #endif

    @Test("a file that is replaced keeps its permissions, and a link to it stays a link")
    func replacedOut() throws {
        let page = try page("--name", "T")
        try Tool.inFolder(["old.html": Data("old".utf8), "private.html": Data("old".utf8)]) { folder in
            let line = "referral-tool page --app-id 42 --name T --out"
            let outcome = try Tool.shell(
                """
                cd \(folder); umask 027; mkdir sub; chmod 600 private.html; chmod 664 old.html
                ln -s ../old.html sub/link.html; ln -s sub/link.html link.html; ln -s later.html dangling.html
                \(line) private.html && \(line) link.html && \(line) new.html && \(line) dangling.html
                ls -lA . sub | awk '{ print $1, $9, $10, $11 }' | grep html; cat link.html
                """
            )
            #expect(
                outcome.output == """
                    lrwxrwxrwx dangling.html -> later.html
                    -rw-r----- later.html \u{20}
                    lrwxrwxrwx link.html -> sub/link.html
                    -rw-r----- new.html \u{20}
                    -rw-rw-r-- old.html \u{20}
                    -rw------- private.html \u{20}
                    lrwxrwxrwx link.html -> ../old.html

                    """ + page
            )
        }
    }

    @Test("it goes into a pipe and to a stream that is open already, which nothing can replace")
    func streamedOut() throws {
        let page = try page("--name", "T")
        try Tool.inFolder { folder in
            let line = "referral-tool page --app-id 42 --name T --out"
            let outcome = try Tool.shell("cd \(folder); mkfifo f; cat f & \(line) f; wait; ls -A; \(line) /dev/null")
            #expect(outcome.output == page + "f\n")
            #expect(try Tool.shell("\(line) /dev/stdout | cat").output == page)
            // Whoever writes on has the file open, and would write into one that is gone.
            let shared = try Tool.shell(
                "cd \(folder); { \(line) /dev/stdout; stat -L -c %i /dev/fd/3 3>&1 >&2; } >t; stat -c %i t; cat t"
            )
            #expect(shared.output == shared.error + page)
        }
    }

    @Test("it never goes over its own icon")
    func ownIcon() throws {
        try inFolder { folder in
            let file = folder.appending(path: "icon.svg")
            let icon = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
            try Data(icon.utf8).write(to: file)
            let outcome = try Tool.run(
                "page",
                "--app-id",
                "42",
                "--name",
                "T",
                "--icon",
                file.path(),
                "--out",
                file.path()
            )
            #expect(outcome.status == 64)
            #expect(outcome.error.contains("name another file"))
            #expect(try String(contentsOf: file, encoding: .utf8) == icon)
        }
    }

    @Test("a file that cannot be written", arguments: ["/nowhere/page.html", "/tmp", "/dev/full"])
    func noOut(_ path: String) throws {
        let outcome = try Tool.run("page", "--app-id", "42", "--name", "T", "--out", path)
        #expect(outcome.status == 74)
        #expect(outcome.error.contains("cannot write"))
    }

    // MARK: Languages

    @Test(
        "a language and its direction stand in the page",
        arguments: [
            ("en", "ltr", "Get <bdi>T</bdi> on the App Store"), ("de-AT", "ltr", "<bdi>T</bdi> im App Store laden"),
            ("PT-br", "ltr", "Obter"), ("ar", "rtl", "App Store"), ("he", "rtl", "App Store"),
            ("ar-EG", "rtl", "App Store"),
            ("zh-Hans", "ltr", "获取"), ("zh-TW", "ltr", "取得"), ("zh-Hant-HK", "ltr", "取得"), ("ja", "ltr", "入手"),
        ]
    )
    func language(_ tag: String, direction: String, button: String) throws {
        let page = try page("--name", "T", "--language", tag)
        #expect(page.contains("<html lang=\"\(tag)\" dir=\"\(direction)\">"))
        #expect(page.contains(button))
    }

    @Test(
        "every language says everything, with the name and the contents",
        arguments: [
            "ar", "de", "en", "es", "fr", "he", "it", "ja", "ko", "nl", "pt", "zh", "zh-Hant",
        ]
    )
    func complete(_ language: String) throws {
        let page = try page("--name", "T", "--referrer", "x", "--language", language)
        let english = try self.page("--name", "T", "--referrer", "x")
        let note = try #require(page.firstMatch(of: /id="note">(.*)<\/p>/)?.1)
        #expect(note.contains("<bdi>T</bdi>"))
        #expect(note.contains("<code><bdi id=\"referrer\">x</bdi></code>"))
        #expect(try attribute("data-copied", of: "role=\"status\"", in: page).contains("T"))
        for pattern in [
            /id="store"[^>]*>(.*)<\/a>/, /class="plain"[^>]*>(.*)<\/a>/, /<h2.*>(.*)<\/h2>/,
            /<p class="quiet">([^<]+)<\/p>/,
        ] {
            let said = try #require(page.firstMatch(of: pattern)?.1)
            #expect(!said.isEmpty)
            #expect(language == "en" || said != english.firstMatch(of: pattern)?.1)
        }
        #expect(try !attribute("data-code", of: "id=\"phone\"", in: page).isEmpty)
        #expect(!page.contains("{name}"))
        #expect(!page.contains("{contents}"))
        #expect(try Tool.run("help", "page").output.contains("\(language),"))
    }

    private static let own = [
        "button=<{name}>", "note=n {contents}", "signature=s", "plain=p", "copied=c {name}", "phone=h", "scan=s",
        "code=q",
    ]

    @Test(
        "another language needs all the sentences",
        arguments: [("fa", "rtl"), ("sv", "ltr"), ("az-Arab", "rtl"), ("ar-Latn", "ltr")]
    )
    func ownSentences(_ tag: String, direction: String) throws {
        let arguments = ["page", "--app-id", "42", "--name", "A&B", "--language", tag]
        let page = try Tool.run(arguments + Self.own.flatMap { ["--text", $0] }).output
        #expect(page.contains("lang=\"\(tag)\" dir=\"\(direction)\""))
        #expect(page.contains(">&lt;<bdi>A&amp;B</bdi>&gt;</a>"))
        #expect(page.contains("data-copied=\"c A&amp;B\""))
        #expect(page.contains(">n <code>"))

        let outcome = try Tool.run(arguments + Self.own.dropLast(2).flatMap { ["--text", $0] })
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("for another language give --text for scan, code"))
    }

    @Test("a page in several languages has the first one in place, the others beside it, and a link to each")
    func severalLanguages() throws {
        let page = try page(
            "--name",
            "A&B",
            "--tagline",
            "x",
            "--referrer",
            "spring",
            "--language",
            "de,ar,ja",
            "--text",
            "ar.tagline=<y>",
            "--text",
            "ja.language=J & J"
        )
        #expect(page.contains("<html lang=\"de\" dir=\"ltr\">"))
        #expect(page.contains("<title>A&amp;B: x</title>"))
        #expect(page.contains("<template lang=\"ar\" dir=\"rtl\" title=\"A&amp;B: &lt;y&gt;\">"))
        #expect(page.contains("<template lang=\"ja\" dir=\"ltr\" title=\"A&amp;B: x\">"))
        #expect(page.ranges(of: "data-referrer=\"spring\"").count == 3)
        #expect(page.ranges(of: "class=\"icon initial\"").count == 1)
        let links = page.matches(of: /<a href="\?lang=([^"]*)" lang="([^"]*)" hreflang="([^"]*)">([^<]*)<\/a>/)
        #expect(links.map { String($0.1) } == ["de", "ar", "ja"])
        #expect(links.map { String($0.4) } == ["Deutsch", "العربية", "J &amp; J"])
        for language in ["de", "ar", "ja"] {
            #expect(page.contains("<link rel=\"alternate\" hreflang=\"\(language)\" href=\"?lang=\(language)\">"))
        }
        #expect(page.contains("<link rel=\"alternate\" hreflang=\"x-default\" href=\"?\">"))
        let one = try self.page("--name", "A", "--language", "de")
        #expect(!one.contains("hreflang"))
        #expect(!one.contains("<template"))
    }

    // MARK: Looks

    @Test("an accent is a second style, which the policy allows, with a lighter shade for dark mode")
    func accent() throws {
        let page = try page("--name", "T", "--accent", "#c00")
        let style = try #require(page.matches(of: /<style>([^<]*)<\/style>/).last?.1)
        #expect(
            style == """
                :root{--accent:#cc0000;--on-accent:#ffffff}@media(prefers-color-scheme:dark){\
                :root{--accent:#df5f5f;--on-accent:#000000}}
                """
        )
        let hash = try openSSL(Data(style.utf8)).base64EncodedString()
        #expect(try attribute("content", of: "Content-Security-Policy", in: page).contains("'sha256-\(hash)'"))
    }

    @Test("other services show the icon, or the picture at an address")
    func image() throws {
        #expect(try !page("--name", "T").contains("og:image"))
        try inFolder { folder in
            let file = folder.appending(path: "a.png")
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]).write(to: file)
            let page = try page("--name", "T", "--icon", file.path())
            #expect(
                try attribute("content", of: "og:image", in: page) == attribute("src", of: "class=\"icon\"", in: page)
            )
        }
        let other = try page("--name", "T", "--image", "https://example.com/a.png?a&b")
        #expect(try attribute("content", of: "og:image", in: other) == "https://example.com/a.png?a&b")
    }

    // MARK: Wrong usage

    @Test(
        "wrong usage says what would be right",
        arguments: [
            (["--name", "T"], "which page? Give either --page ADDRESS or --app-id ID"),
            (["--app-id", "42"], "--name is missing: the app's name"),
            (["--app-id", "42", "--name", ""], "--name '': it is shown on the page"),
            (["--app-id", "42", "--name", " \u{3000}"], "it is shown on the page"),
            (["--app-id", "42", "--name", "a\u{1B}[31m"], "without control characters"),
            (["--app-id", "42", "--name", "T", "--tagline", "a\nb"], "--tagline 'a"),
            (["--app-id", "42", "--name", "T", "--tagline="], "--tagline ''"),
            (["--app-id", "42", "--name", "T", "--ref", ""], "--ref '': a query item has a name"),
            (["--app-id", "42", "--name", "T", "--referrer", ""], "--referrer '': The referrer is missing, empty"),
            (
                ["--app-id", "42", "--name", "T", "--referrer", String(repeating: "r", count: 8_200)],
                "longer than 8,192 bytes"
            ),
            (["--app-id", "42", "--name", "T", "--param", "pack"], "a parameter is KEY=VALUE"),
            (["--app-id", "42", "--name", "T", "--param", "a=1", "--param", "a=2"], "'a' is given twice"),
            (["--app-id", "42", "--name", "T", "--param", "referrer=x"], "cannot be called “referrer”"),
            (["--app-id", "42", "--name", "T", "--param", "Pack=x"], "is a small letter, then letters"),
            (["--app-id", "42", "--name", "T", "--param", "on=x"], "--param 'on'"),
            (["--app-id", "42", "--name", "T", "--language", "english"], "a language is a tag such as de"),
            (["--app-id", "42", "--name", "T", "--language", "d\"e"], "a language is a tag such as de"),
            (["--app-id", "42", "--name", "T", "--language", ""], "a language is a tag"),
            (["--app-id", "42", "--name", "T", "--language", "sv"], "the page has ar, de, en"),
            (["--app-id", "42", "--name", "T", "--language", "de,en,DE"], "none twice"),
            (["--app-id", "42", "--name", "T", "--language", "de,"], "write a comma between two"),
            (["--app-id", "42", "--name", "T", "--language", "de,en", "--ref", "lang"], "lang names the language"),
            (["--app-id", "42", "--name", "T", "--language", "de,en", "--text", "scan=a"], "de.scan or en.scan"),
            (["--app-id", "42", "--name", "T", "--language", "de,en", "--text", "fr.scan=a"], "de.scan or en.scan"),
            (["--app-id", "42", "--name", "T", "--accent", "red"], "such as #0b6157"),
            (["--app-id", "42", "--name", "T", "--accent", "#12345"], "such as #0b6157"),
            (["--app-id", "42", "--name", "T", "--accent", "#fa0"], "is 1.7, and people need 4.5"),
            (["--app-id", "42", "--name", "T", "--accent", "#fa0"], "to read a link; #976400 has it"),
            (["--app-id", "42", "--name", "T", "--image", "a.png"], "begins with https:// and a host"),
            (["--app-id", "42", "--name", "T", "--text", "buton=x"], "did you mean 'button'?"),
            (["--app-id", "42", "--name", "T", "--text", "button"], "it takes PART=SENTENCE"),
            (["--app-id", "42", "--name", "T", "--text", "button="], "it takes PART=SENTENCE"),
            (
                ["--app-id", "42", "--name", "T", "--text", "scan=a", "--text", "scan=b"],
                "the part 'scan' is given twice"
            ),
            (["--app-id", "42", "--name", "T", "--text", "note=It copies."], "put {contents} into it"),
            (["--app-id", "42", "--name", "T", "--pt", "1"], "--ct is missing, and without it"),
            (["--app-id", "42", "--name", "T", "--page", "https://apps.apple.com/id42"], "either --page"),
            (["--page", "https://example.com/id42", "--name", "T"], "--page 'https://example.com/id42': The host"),
            (["--app-id", "42", "--name", "T", "x"], "'x' is not expected here"),
            (["--app-id", "42", "--nmae", "T"], "did you mean '--name'?"),
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
                "REFERRAL_TOOL='\(Tool.path)' '\(Self.web.path())/make-example' '\(file.path())'"
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
