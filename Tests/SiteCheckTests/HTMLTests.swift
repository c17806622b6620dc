import Foundation
import ReferralBridge
import ReferralSiteCheck
import TestSupport
import Testing

/// Reading HTML, whatever it contains.
struct HTMLTests {
    /// The places of the links without an address in a page: they show which tags were seen, and where.
    private func tags(_ page: String, name: String = "page.html") throws -> [String] {
        // The snippet is in a line before the page, so that its attributes count.
        let mark = page.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
        let start = mark + "<script src='referral-bridge.js'></script>\n"
        let rest = String(page.unicodeScalars.dropFirst(mark.unicodeScalars.count))
        return try CheckedFolder.broken(in: start + rest, name: name)
            .filter { $0.hasPrefix("no-address ") }
            .map { finding in
                let place = finding.dropFirst("no-address ".count).split(separator: ":")
                return "\((Int(place[0]) ?? 0) - 1):\(place[1])"
            }
    }

    // MARK: Tags

    @Test(
        "where a tag begins and ends",
        arguments: [
            ("<a data-referrer=x>", ["1:1"]), ("<A DATA-REFERRER = 'x'/>", ["1:1"]),
            ("<a\tx\u{C}data-referrer\r=\nx>", ["1:1"]),
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
            ("<!-- x ---><a data-referrer=x>", ["1:12"]), ("<style><</style><a data-referrer=x>", ["1:17"]),
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
            ("<script><!-- <script></script></script><a data-referrer=x>", ["1:40"]),
            ("<script><!--><script></script><a data-referrer=x>", ["1:31"]),
            ("<script><!-- <scripts></script><a data-referrer=x>", ["1:32"]),
            ("<script><script></script><a data-referrer=x>", ["1:26"]),
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
            ("<svg><![CDATA[]]]></svg><a data-referrer=x>", ["1:25"]),
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

    @Test("what is nested deeper than 64 elements of SVG is not counted", arguments: [(64, 63), (65, 64), (70, 64)])
    func deep(_ count: Int, _ closed: Int) throws {
        let open = String(repeating: "<svg>", count: count)
        let page = open + String(repeating: "</svg>", count: closed)
        let seen = try tags(page + "<style><a data-referrer=x></style>")
        #expect(seen == (count > 64 ? [] : ["1:\(page.count + 8)"]))
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
        let findings = try CheckedFolder.broken(in: page)
        #expect(findings == (place.map { ["unclosed \($0)"] } ?? []))
    }

    @Test(
        "a file's first 64 frames are checked, and a note says so",
        arguments: [(64, []), (65, ["unread-frame 65:1"])]
    )
    func frames(_ count: Int, _ notes: [String]) throws {
        let page = String(
            repeating: "<iframe srcdoc='<script src=referral-bridge.js></script><b data-referrer=x>'></iframe>\n",
            count: count
        )
        let checked = try CheckedFolder(["page.html": page])
        #expect(checked.findings.count { $0.rule == "no-link" } == 64)
        #expect(checked.noted == notes)
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
            ("?a=1&#;&#x;&nothing;&", nil), ("?a=1&lt", nil), ("?ct=x&lt&pt=9", nil),
            ("?ct=\(String(repeating: "&eacute;", count: 4))&pt=1", nil),
        ]
    )
    func references(_ query: String, _ rule: String?) throws {
        let page = "<a href='https://apps.apple.com/app/id42\(query)'>"
        #expect(try CheckedFolder.broken(in: page).map { String($0.prefix { $0 != " " }) } == (rule.map { [$0] } ?? []))
    }

    // MARK: Whatever comes

    @Test("bytes and pages that nobody wrote stop nothing")
    func strange() throws {
        var random = Numbers(state: 42)
        let snippet = CopySnippet(format: .html(nonce: nil)).source
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
        let checked = try CheckedFolder(files)
        let others = checked.notes.count { $0.rule == "no-page" }
        #expect(checked.counts[.pages, default: 0] + others + checked.failures.count == 300)
    }

    @Test(
        "a lot of one thing is read in a time that grows with it",
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
            "<base href=/", "<a data-referral-x=1 ", "-->", "]]>", "<![CDATA[", "<iframe srcdoc=", "<iframe/srcdoc=",
            "<iframe srcdoc='&amp;", "<iframe srcdoc='<iframe srcdoc=\"<iframe srcdoc=&quot;", "<a data-referer-x>",
            "<p data-re-re-re_re", "<a href=/ data-referrer='{{", "<a data-x=1 data-x=2 ",
        ]
    )
    func linear(_ piece: String) throws {
        let tail = "'\"><a href=https://apps.apple.com/id1?ct=x data-referrer=x data-referral-1=1>"
        try expectLinear(samples(1 << 14, long: 1 << 16)) { length in
            let page = "<p>" + String(repeating: piece, count: length / piece.utf8.count)
            let files = ["a.html": Data(page.utf8), "b.html": Data((page + tail).utf8), "c.xhtml": Data(page.utf8)]
            let checked = try CheckedFolder(files)
            #expect(checked.counts[.pages] == 3)
        }
    }

    @Test(
        "two long things on one page are not read once for each other",
        arguments: [
            ("<base href='/", "a/", "'>", "<script type=module src=INDEX></script>"),
            ("<base href='", "a/../", "'>", "<script src=INDEX></script>"),
            ("<base href='https://example.com/", "a", "'>", "<script type=module src=INDEX></script>"),
            ("<base href='/", "a/", "'>", "<script>import './INDEX'</script>"),
            (policy, "x ", "'><script src=0.js></script>", ""),
            (policy, "'sha256-a' ", "'><script src=0.js integrity='", "sha256-b "),
            (policy, "x ", "'>", "<iframe srcdoc='<script src=0.js></script>'></iframe>"),
            ("<base href='/", "a/", "'>", "<iframe srcdoc='<script src=INDEX></script>'></iframe>"),
            (policy, "'none' ", "'><script>import './0.js'</script>", "<script src=INDEX></script>"),
        ]
    )
    func product(_ start: String, _ piece: String, _ middle: String, _ other: String) throws {
        try expectLinear(samples(1 << 14, long: 1 << 16)) { length in
            var page = start + String(repeating: piece, count: length / piece.utf8.count) + middle
            for index in 0..<(length / max(other.utf8.count, 8)) { page += other.replacing("INDEX", with: "\(index)") }
            page += "'><a href=https://apps.apple.com/id1?ct=x data-referrer=x>"
            let files = ["page.html": page, "0.js": "import './1.js'", "1.js": CopySnippet().source]
            let checked = try CheckedFolder(files.mapValues { Data($0.utf8) })
            #expect(checked.counts[.pages] == 1)
        }
    }

    private static let policy = "<meta http-equiv=Content-Security-Policy content='script-src "

    @Test(
        "combining marks cost as much as any other text",
        arguments: [
            "<aMARKS></aMARKS>", "<p MARKS>", "<a MARKS=x MARKS>", "<a data-referral-MARKS=x>",
            "<script src='MARKS/referral-bridge.js'></script>", "<script src='/MARKS'></script>",
            "<script src='ENCODED'></script>", "<base href='ENCODED/'>", "<p data-referrer-from=MARKS>",
            "<a href='https://apps.apple.com/id1?pt=ENCODED&ct=MARKS' data-referral-on=MARKS target=MARKS>",
            "<meta name=apple-itunes-app content='app-id=1, MARKS=MARKS'>", "<script>'MARKS'</script>",
            "<meta http-equiv=Content-Security-Policy content='script-src MARKS'>",
        ]
    )
    func combiningMarks(_ markup: String) throws {
        // Marks of two combining classes in turn. Swift's own hash and comparison sort them all.
        try expectLinear(samples(1 << 14, long: 1 << 15)) { count in
            func marks(_ pair: String) -> String { String(repeating: pair, count: count) }
            let page = markup.replacing("ENCODED", with: marks("%CC%81%CC%96"))
                .replacing("MARKS", with: marks("\u{301}\u{316}"))
            let checked = try CheckedFolder(["a.html": page + "<a href=https://apps.apple.com/id1 data-referrer=x>"])
            #expect(checked.counts[.pages] == 1)
        }
    }
}

/// The same numbers each time.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}
