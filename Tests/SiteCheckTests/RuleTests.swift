import Foundation
import ReferralBridge
import ReferralSiteCheck
import Testing

struct RuleTests {
    private static let store = "https://apps.apple.com/us/app/trestle/id42"

    @Test("findings in the order of the page, and at one place in that of the rules")
    func order() throws {
        let body = "<a href=https://apps.apple.com/x data-referrer data-referral-1=1>\n<p data-referrer=x>"
        let rules = ["no-snippet 1:1", "no-store-page 1:4", "no-referrer 1:34", "parameter-name 1:48", "no-link 2:1"]
        #expect(try CheckedFolder.broken(in: body) == rules)
        let two = "<a data-referrer=x></a><a href=https://apps.apple.com/app/id42 data-referrer=x>"
        #expect(try CheckedFolder.broken(in: two) == ["no-address 1:1", "no-snippet 1:1"])
    }

    @Test("a message says what is wrong and what would be right", arguments: PageCases.all("messages"))
    func message(_ end: String, _ page: String) throws {
        let messages = try CheckedFolder(["page.html": page]).findings.map(\.message.text)
        #expect(messages.count == 1)
        #expect(messages.first?.hasSuffix(end) == true, "\(messages)")
    }

    @Test("a line counts what was right")
    func counts() throws {
        let page = """
            <meta http-equiv=content-security-policy content="script-src https://cdn.example">
            <meta name=apple-itunes-app content="app-id=42">
            <script src="https://cdn.example/x/referral-bridge.min.js?v=1"></script>
            <a href="\(Self.store)" data-referrer=x>1</a> <a href="\(Self.store)">2</a> <a href="/about">3</a>
            """
        let rest = "no problem in 2 pages: 1 link with a referrer, 1 other store link, "
        let other = try CheckedFolder(["a.html": page, "b.htm": "<p data-referral-x=1>"])
        #expect(other.summary == rest + "1 snippet (1 not read), 1 policy, 1 banner")
        let near = page.replacing("https://cdn.example/x/referral-bridge.min.js", with: "referral-bridge.js")
        let same = try CheckedFolder(["a.html": near, "b.htm": "<p>"])
        #expect(same.summary == rest + "1 snippet, 1 policy, 1 banner")
        let none = try CheckedFolder(["a.html": "<a href='\(Self.store)'>"])
        #expect(
            none.summary == "no problem in 1 page, but no link with a referrer: "
                + "1 other store link, 0 snippets, 0 policies, 0 banners"
        )
        let one = try CheckedFolder(["a.html": "<a href='\(Self.store)?ct=x'>", "b.htm": "<p>"])
        #expect(one.summary == "1 problem in 1 of 2 pages")
        let link = "<a href='\(Self.store)?ct=x' data-referrer=x>"
        #expect(try CheckedFolder(["a.html": link]).summary == "2 problems in 1 of 1 page")
    }

    @Test(
        "a page without a link that was checked says so, if a script may add one",
        arguments: PageCases.all("scripted")
    )
    func scripted(_ note: String, _ page: String) throws {
        let files = ["page.html": page, "app.js": "render()", "links.js": "a.setAttribute('data-referrer', 'x')"]
        let checked = try CheckedFolder(files)
        #expect(checked.broken == [])
        #expect(checked.noted == (note.isEmpty ? [] : [note]))
    }
}
