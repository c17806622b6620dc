import Foundation
import Testing

/// How `check` reads HTML, files and folders, whatever they hold.
struct CheckReadingTests {
    /// The places of the links without an address in a page: they show which tags were seen, and where.
    private func tags(_ page: String, name: String = "page.html") throws -> [String] {
        try CheckedFolder.findings(in: page + "<script src=referral-bridge.js></script>", name: name)
            .filter { $0.rule == "no-address" }
            .map { "\($0.line):\($0.column)" }
    }

    // MARK: Tags

    @Test(
        "where a tag begins and ends",
        arguments: [
            ("<a data-referrer=x>", ["1:1"]), ("<A DATA-REFERRER = 'x'/>", ["1:1"]),
            ("<a\tx\u{C}\ndata-referrer\n>", ["1:1"]),
            ("< a data-referrer=x>", []), ("<\u{0}a data-referrer=x>", []), ("<a/data-referrer=x>", ["1:1"]),
            ("<ab data-referrer=x>", []), ("</a data-referrer=x>", []), ("<a x='>' y=\">\" data-referrer=x>", ["1:1"]),
            ("<a x=> data-referrer=x>", []), ("<a x=a'b\"c data-referrer=x>", ["1:1"]),
            ("<a x='\" data-referrer=x>", []),
            ("<a =data-referrer=x>", []), ("<a x =data-referrer=x>", []), ("<a x= data-referrer=x>", []),
            ("<a x'y data-referrer=x>", ["1:1"]), ("<<a data-referrer=x>", ["1:2"]),
            ("1<2<a data-referrer=x>", ["1:4"]),
            ("<a data-referrer=\"a\"data-x>", ["1:1"]), ("<p><a\r\n\r\n x><a data-referrer=x>", ["3:4"]),
            ("\r\r\n\n<a data-referrer=x>", ["4:1"]), ("é😀\u{301}<a data-referrer=x>", ["1:4"]),
            ("\u{FEFF}<a data-referrer=x>", ["1:1"]),
            ("<a href='' href=https://apps.apple.com/id1 data-referrer=x>", []),
        ]
    )
    func tag(_ page: String, _ places: [String]) throws {
        #expect(try tags(page) == places)
    }

    @Test(
        "what is no tag",
        arguments: [
            ("<!-- <a data-referrer=x> -->", []), ("<!-- <a data-referrer=x> --!><a data-referrer=x>", ["1:30"]),
            ("<!--><a data-referrer=x>", ["1:6"]), ("<!---><a data-referrer=x>", ["1:7"]),
            ("<!-- > -- ><a data-referrer=x>-->", []), ("<!doctype x '><a data-referrer=x>'>", ["1:15"]),
            ("<?php '<a data-referrer=x>' ?>", []), ("</ <a data-referrer=x>", []), ("</><a data-referrer=x>", ["1:4"]),
            ("<![CDATA[<a data-referrer=x>]]>", []), ("<![CDATA[ > <a data-referrer=x>]]>", ["1:13"]),
            ("<title><a data-referrer=x></title ><a data-referrer=x>", ["1:36"]),
            ("<style></styles><a data-referrer=x></STYLE/><a data-referrer=x>", ["1:45"]),
            ("<textarea></textarea\n><a data-referrer=x>", ["2:2"]), ("<iframe><a data-referrer=x></iframe>", []),
            ("<xmp><a data-referrer=x></xmp><noscript><a data-referrer=x></noscript>", []),
            ("<plaintext></plaintext><a data-referrer=x>", []), ("<script/><a data-referrer=x></script>", []),
            ("<script><!-- <script></script><a data-referrer=x> --></script><a data-referrer=x>", ["1:63"]),
            ("<script><!-- <script>--></script><a data-referrer=x>", ["1:34"]),
            ("<script><!--><script></script><a data-referrer=x>", ["1:31"]),
            ("<script><!-- <scripts></script><a data-referrer=x>", ["1:32"]),
            ("<template><a data-referrer=x></template>", ["1:11"]),
        ]
    )
    func noTag(_ page: String, _ places: [String]) throws {
        #expect(try tags(page) == places)
    }

    @Test(
        "SVG and MathML, whose rules are others",
        arguments: [
            ("<svg><![CDATA[ > <a data-referrer=x>]]></svg>", []),
            ("<svg><title><a data-referrer=x></title></svg>", ["1:13"]),
            ("<svg><style><a data-referrer=x></style></svg><style><a data-referrer=x></style>", ["1:13"]),
            ("<svg/><style><a data-referrer=x></style>", []), ("<svg><p><style><a data-referrer=x></style>", []),
            (
                "<svg><foreignObject><style><a data-referrer=x></style></foreignObject><style><a data-referrer=x>",
                ["1:78"]
            ),
            ("<math><mi><style><a data-referrer=x></style></mi></math><![CDATA[ > <a data-referrer=x>", ["1:69"]),
            ("</svg></math><svg></math></svg><style><a data-referrer=x>", []),
        ]
    )
    func foreign(_ page: String, _ places: [String]) throws {
        let page = page.hasSuffix("=x>") ? page + "</style>" : page
        #expect(try tags(page) == places)
    }

    @Test(
        "what takes the rest of the page in is told of",
        arguments: [
            ("<p>\n<!-- x", "2:1"), ("<p><script src=x />", "1:4"), ("<script><!-- <script></script>", "1:1"),
            ("<p><title>x", "1:4"), ("<p><style></style", "1:4"), ("<p><a x='", "1:4"), ("<p></p", "1:4"),
            ("<p><? x", "1:4"),
            ("<p><!doctype", "1:4"), ("<svg><![CDATA[ ]>", "1:6"), ("<plaintext>", nil), ("<p><", nil), ("<p></", nil),
            ("<p><script></script>", nil),
        ]
    )
    func unclosed(_ page: String, _ place: String?) throws {
        let findings = try CheckedFolder.findings(in: page).map(\.description)
        #expect(findings == (place.map { ["unclosed \($0)"] } ?? []))
    }

    @Test("XHTML goes by XML's rules")
    func xhtml() throws {
        let page = "<html><title/><script src='x'/><![CDATA[<a data-referrer='x'>]]><a data-referrer='x'/>"
        #expect(try tags(page, name: "page.XHTML") == ["1:65"])
    }

    @Test(
        "character references in an address",
        arguments: [
            ("?a=1&amp;ct=x", "lone-token"), ("?a=1&ampct=x", nil), ("?a=1&amp=1", nil),
            ("?a=1&#38;ct=x", "lone-token"),
            ("?a=1&#x26;ct=x", "lone-token"), ("?a=1&#X00026;ct=x", "lone-token"), ("?a=1&#38ct=x", "lone-token"),
            ("&quest;ct&equals;x", "lone-token"), ("?ct=x&pt=9", nil), ("?pt=9&ct;", "lone-token"),
            ("?a=1&#0;&#xD800;&#99999999999;", nil),
            ("?a=1&#;&#x;&nothing;&", nil), ("?a=1&lt", nil),
            ("?ct=\(String(repeating: "&eacute;", count: 4))&pt=1", nil),
        ]
    )
    func references(_ query: String, _ rule: String?) throws {
        let page = "<a href='https://apps.apple.com/app/id42\(query)'>"
        #expect(try CheckedFolder.findings(in: page).map(\.rule) == (rule.map { [$0] } ?? []))
    }

    // MARK: Files and folders

    @Test("a folder's pages, sorted, but not those of others")
    func folder() throws {
        let page = "<a data-referrer=x>"
        let (report, status) = try Tool.inFolder { folder in
            let made = try Tool.shell(
                """
                cd '\(folder)' && mkdir -p a/b .git node_modules/x a.b && for f in b.html a/z.HTM a/b/c.xhtml a.b/d.html \
                .git/e.html node_modules/x/f.html a/.g.html h.txt; do echo '\(page)' >$f; done
                ln -s .. a/up; ln -s ../a a/b/again; ln -s "$PWD/b.html" a/same.html; ln -s a/b linked; mkfifo pipe.htm2
                """
            )
            #expect(made.status == 0)
            let outcome = try Tool.run("check", "--json", folder, folder + "a", folder + "b.html")
            let text = outcome.output.replacing(folder, with: "")
            return (try JSONDecoder().decode(CheckedFolder.Report.self, from: Data(text.utf8)), outcome.status)
        }
        let files = report.findings.filter { $0.rule == "no-address" }.map(\.file)
        // Of two names of one file the first that comes up stands for it.
        #expect(files == ["a.b/d.html", "a/b/c.xhtml", "a/z.HTM", "b.html"])
        #expect(report.counts["pages"] == 4 && status == 1)
    }

    @Test(
        "what cannot be looked at is told of, and the rest is looked at",
        arguments: [
            (Data([0xFF, 0xFE, 0x3C, 0]), "it is UTF-16; save it as UTF-8", 65),
            (Data([0xFE, 0xFF, 0, 0x3C]), "it is UTF-16; save it as UTF-8", 65),
            (Data([0x3C, 0, 0x61, 0, 0x3E, 0]), "it is UTF-16; save it as UTF-8", 65),
            (Data("<p>\n\r\n\u{E9}<p>\u{E9}".utf8) + [0xE9], "it is not UTF-8, first in line 3; save it as UTF-8", 65),
            (Data("just text < a > b".utf8), "it is no HTML: there is no tag in it", 65),
            (Data(), "it is no HTML: there is no tag in it", 65),
            (Data(repeating: 0x20, count: 32 << 20 | 1), "it has more than 32 MB, which no page has", 65),
        ]
    )
    func badFile(_ content: Data, _ problem: String, _ status: Int32) throws {
        let files = [
            "a.html": content, "b.html": Data("<a data-referrer-from=ref>".utf8), "referral-bridge.js": Data(),
        ]
        let (plain, json) = try Tool.inFolder(files) { folder in
            let json = try Tool.run("check", folder, "--json")
            let plain = try Tool.run("check", folder)
            #expect(plain.error.hasPrefix("referral-tool: \(folder)a.html: \(problem)\n"))
            return (plain, json)
        }
        #expect(plain.status == status && json.status == status)
        #expect(plain.output.contains("b.html:1:1: "))
        let report = try JSONDecoder().decode(CheckedFolder.Report.self, from: json.bytes)
        #expect(report.notLookedAt.map(\.message) == [problem] && report.counts["pages"] == 1)
    }

    @Test("a missing file, an empty folder, a circle and a device end in 66 or 65")
    func missing() throws {
        try Tool.inFolder { folder in
            let files = try Tool.run("check", folder + "none.html", "--", "-")
            #expect(files.error.contains("none.html: No such file or directory\nreferral-tool: -: No such file"))
            #expect(files.status == 66 && files.output == "")
            let empty = try Tool.run("check", folder)
            #expect(empty.status == 66)
            #expect(empty.error.contains("no file that ends in .html, .htm or .xhtml"))
            _ = try Tool.shell(
                "cd '\(folder)' && ln -s loop.html loop.html && ln -s nowhere lost.html && mkfifo pipe.html"
            )
            let lost = try Tool.run("check", folder)
            #expect(lost.status == 66)
            for line in [
                "loop.html: Too many levels of symbolic links", "lost.html: No such file", "pipe.html: it is no file",
            ] {
                #expect(lost.error.contains(line), "\(lost.error)")
            }
            #expect(try Tool.run("check", "/dev/null").status == 65)
            #expect(try Tool.run("check", "/dev/zero").error.contains("more than 32 MB"))
        }
    }

    /// Runs the command as somebody who may not do everything: as root, without root's rights.
    private static let asAnybody = """
        check() { if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-all --inh-caps=-all \
        "$(command -v referral-tool)" check "$@"; else referral-tool check "$@"; fi; }

        """

    private static let canBeAnybody: Bool = {
        let line = "[ $(id -u) != 0 ] || setpriv --bounding-set=-all --inh-caps=-all true"
        return (try? Tool.shell(line))?.status == 0
    }()

    @Test(
        "a folder that may not be looked into is told of",
        .enabled(if: canBeAnybody),
        arguments: [
            ("chmod 000 a", ["a: Permission denied"]), ("chmod 300 a", ["a: Permission denied"]),
            ("chmod 600 a", ["a/b: Permission denied", "a/link: Permission denied", "a/page.html: Permission denied"]),
            (
                "chmod 600 a; ln -s a/b far",
                ["far: Permission denied", "a/b: Permission", "a/link: Permission", "a/page.html: Permission"]
            ),
            ("chmod 000 a/b/page.html", ["a/b/page.html: Permission denied"]),
            ("ln -s nowhere old; ln -s loop loop; chmod 000 a/notes.txt", []),
        ]
    )
    func denied(_ change: String, _ lines: [String]) throws {
        try Tool.inFolder { folder in
            let made = "cd '\(folder)' && mkdir -p a/b && echo '<p>' | tee fine.html a/page.html >a/b/page.html"
            let outcome = try Tool.shell(
                """
                \(Self.asAnybody)\(made) && touch a/notes.txt && ln -s b a/link && \(change)
                check .; status=$?; chmod 700 a; exit $status
                """
            )
            let told = outcome.error.split(separator: "\n").filter { !$0.contains("nothing wrong") }
            #expect(told.count == lines.count, "\(outcome.error)")
            for (line, told) in zip(lines, told) { #expect(told.hasPrefix("referral-tool: ./\(line)"), "\(told)") }
            #expect(outcome.status == (lines.isEmpty ? 0 : 66))
        }
    }

    @Test("a path that is too long for the system, and a name that is not UTF-8, are told of")
    func unusual() throws {
        try Tool.inFolder { folder in
            let name = String(repeating: "a", count: 250)
            let deep = try Tool.shell(
                """
                cd '\(folder)' && echo '<p>' >fine.html && for i in $(seq 18); do mkdir \(name) && cd -P \(name) || exit; done
                echo '<p>' >page.html; cd '\(folder)'; referral-tool check .; status=$?; rm -r \(name); exit $status
                """
            )
            #expect(deep.error.contains("\(name): File name too long\n"), "\(deep.error)")
            #expect(deep.status == 66)
        }
        try Tool.inFolder { folder in
            let outcome = try Tool.shell(
                #"""
                cd '\#(folder)' && echo '<p>' >fine.html && mkdir $'b\xE9' && touch $'b\xE9/x.html' $'c\xE9.css' || exit 99
                ln -s $'b\xE9' $'l\xE9'; echo '<p>' >$'a\xE9.html'; referral-tool check .
                """#
            )
            // Some systems have no such names.
            guard outcome.status != 99 else { return }
            let problem = "its name is not UTF-8; give it another one"
            for name in ["a", "b", "l"] {
                let path = "./\(name)\u{FFFD}\(name == "a" ? ".html" : "")"
                #expect(outcome.error.contains("referral-tool: \(path): \(problem)\n"), "\(outcome.error)")
            }
            #expect(outcome.status == 66 && outcome.error.split(separator: "\n").count == 4)
        }
    }

    @Test("wrong usage")
    func usage() throws {
        let nothing = try Tool.run("check", "--json")
        #expect(
            nothing.status == 64
                && nothing.error == "referral-tool: which pages? Name files, or folders that hold some\n"
        )
        #expect(try Tool.run("check", "--app-id", "x", ".").status == 64)
    }

    // MARK: Whatever comes

    @Test("bytes and pages that nobody wrote stop nothing")
    func strange() throws {
        var random = Numbers(state: 42)
        let snippet = try Tool.run("snippet", "--format", "html").output
        let page = Array(
            """
            <!doctype html><html><head><meta http-equiv="Content-Security-Policy" content="script-src 'self' 'sha256-x='; a">
            <meta name=apple-itunes-app content="app-id=42">\(snippet)<script type=module>import './x.js'</script></head><body>
            <svg><title><a xlink:href='//apps.apple.com/app/id42?ct=%C3&amp;pt=&#x31;'></a></title></svg><!-- x --><template>
            <a href="https://apps.apple.com/app/id42?ed=1" data-referrer="x" data-referral-pack='1'>x</a></template>
            """.utf8
        )
        let pieces = [
            "<", "</", "<!--", "-->", "\"", "'", ">", "&#", ";", "<svg>", "<script", "<![CDATA[", "]]>", "=", "é", "\0",
        ]
        var files: [String: Data] = [:]
        for index in 0..<300 {
            var bytes = index < 50 ? (0..<200).map { _ in UInt8.random(in: 0...127, using: &random) } : page
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...30, using: &random))
                let piece = pieces.randomElement(using: &random) ?? ""
                bytes.replaceSubrange(start..<end, with: Array(piece.utf8))
            }
            if index % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            files["\(index).\(index % 5 == 0 ? "xhtml" : "html")"] = Data(bytes)
        }
        let outcome = try Tool.inFolder(files) { try Tool.run("check", "--json", $0) }
        #expect([0, 1, 65].contains(outcome.status), "\(outcome.error)")
        let report = try JSONDecoder().decode(CheckedFolder.Report.self, from: outcome.bytes)
        #expect(report.counts["pages", default: 0] + report.notLookedAt.count == 300)
    }

    /// Whatever took time by the square would take minutes here, and hours for a page of the size that is read.
    @Test(
        "a lot of one thing is read in time",
        arguments: [
            "<", "<a ", "<a data-referrer=x ", "<a data-referrer=x>", "<!--", "<!-", "<!", "<?", "</", "</a", "&", "&#",
            "&#0", "'", "<a x='",
            "<a href='https://apps.apple.com/id1?ct=", "<a href=https://apps.apple.com/id1?ed=1 data-referrer=x>",
            "<svg>", "<svg><title>",
            "</svg>", "<svg><desc></math>", "<script>", "<script><!--", "<script></script>",
            "<script>.ReferralBridge={</script>",
            "<script type=module>import'./x.js'", "<template>", "<meta name=apple-itunes-app content='app-id=1'>",
            "<meta http-equiv=Content-Security-Policy content=\"script-src 'nonce-", "<script src=/a.js></script>",
            "\r", "é",
            "<meta http-equiv=Content-Security-Policy content=x><script>.ReferralBridge={</script>",
            "<base href=/", "<a data-referral-x=1 ", "-->", "]]>", "<![CDATA[",
        ]
    )
    func linear(_ piece: String) throws {
        let page = "<p>" + String(repeating: piece, count: (1 << 17) / piece.utf8.count)
        let tail = "'\"><a href=https://apps.apple.com/id1?ct=x data-referrer=x data-referral-1=1>"
        let files = ["a.html": Data(page.utf8), "b.html": Data((page + tail).utf8), "c.xhtml": Data(page.utf8)]
        let outcome = try Tool.inFolder(files) { try Tool.run("check", $0) }
        #expect([0, 1].contains(outcome.status), "\(outcome.error)")
    }

    /// The limit is on the processor's time, and many times what is needed.
    @Test(
        "two long things on one page are not read once for each other",
        arguments: [
            ("<base href='/", "a/", "'>", "<script type=module src=INDEX></script>"),
            ("<base href='", "a/../", "'>", "<script src=INDEX></script>"),
            ("<base href='https://example.com/", "a", "'>", "<script type=module src=INDEX></script>"),
            ("<base href='/", "a/", "'>", "<script>import './INDEX'</script>"),
            (policy, "x ", "'><script src=0.js></script>", ""),
            (policy, "'sha256-a' ", "'><script src=0.js integrity='", "sha256-b "),
            (policy, "'none' ", "'><script>import './0.js'</script>", "<script src=INDEX></script>"),
        ]
    )
    func product(_ start: String, _ piece: String, _ middle: String, _ other: String) throws {
        let size = 1 << 19
        var page = start + String(repeating: piece, count: size / piece.utf8.count) + middle
        for index in 0..<(size / max(other.utf8.count, 8)) { page += other.replacing("INDEX", with: "\(index)") }
        var files = ["page.html": Data((page + "'><a data-referrer=x>").utf8)]
        for index in 0..<64 { files["\(index).js"] = Data("import './\(index + 1).js'".utf8) }
        files["64.js"] = Data(try CheckedFolder.snippet().utf8)
        let outcome = try Tool.inFolder(files) { try Tool.shell("ulimit -t 30; referral-tool check '\($0)'") }
        #expect(outcome.status == 1, "\(outcome.error)")
    }

    private static let policy = "<meta http-equiv=Content-Security-Policy content='script-src "
}

/// The same numbers each time.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}
