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
        "there are cases of each kind",
        arguments: ["tags", "unclosed", "references", "missing", "there", "messages"]
    )
    func count(_ section: String) { #expect(PageCases.all(section[...]).count > 7) }

    @Test("where a tag begins and ends, and what is none", arguments: PageCases.all("tags"))
    func tag(_ place: String, _ page: String) throws {
        let page = page.contains("<svg") && page.hasSuffix("=x>") ? page + "</style>" : page
        #expect(try tags(page) == (place.isEmpty ? [] : [place]))
    }

    @Test("what takes the rest of the page in is told of", arguments: PageCases.all("unclosed"))
    func unclosed(_ place: String, _ page: String) throws {
        #expect(try CheckedFolder.broken(in: page) == (place.isEmpty ? [] : ["unclosed \(place)"]))
    }

    @Test("XHTML goes by XML's rules")
    func xhtml() throws {
        let page = "<html><title/><script src='x'/><![CDATA[<a data-referrer='x'>]]><a data-referrer='x'/>"
        #expect(try tags(page, name: "page.XHTML") == ["1:65"])
    }

    @Test("character references in an address", arguments: PageCases.all("references"))
    func references(_ rule: String, _ query: String) throws {
        let broken = try CheckedFolder.broken(in: "<a href='https://apps.apple.com/app/id42\(query)'>")
        #expect(broken.map { String($0.prefix { $0 != " " }) } == (rule.isEmpty ? [] : [rule]))
    }

    // MARK: Whatever comes

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
}
