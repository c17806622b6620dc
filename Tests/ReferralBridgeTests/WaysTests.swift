import ReferralBasics
import ReferralBridge
import TestSupport
import Testing

/// What happens to a landing page's address on its way. The tests of `web` use the same file.
struct WaysTests {
    struct Ways: Decodable {
        struct Compared: Decodable {
            let name, page, address: String
            let matches: Bool
        }

        struct Pasted: Decodable {
            let text: String
            let cut: Bool?
            let referrer: String?
        }

        struct Sorted: Decodable { let text, note: String }

        struct Page: Decodable {
            let page, referrer: String?
            let parameters: [String: String]
            let items: [String]
            let read: [Reading]?
        }

        struct Reading: Decodable {
            let address, query, referrer: String?
            let parameters: [String: String]?
        }

        let written: [[String: String]]
        let pages: [Compared]
        let refusedPages: [String]
        let pasted: [Pasted]
        let sorted: [Sorted]
        let path: Page
    }

    /// What a landing page hands on, and an app reads, of the same query.
    struct Queries: Decodable {
        let page: Ways.Page
        let cases: [Ways.Reading]
    }

    private let ways: Ways
    private var scanner = ReferralScanner(appID: 1_300_230_302)

    init() throws { ways = try readVectors("ways", as: Ways.self) }

    @Test("in an item of a landing page's address, a mark is bare only between two letters or digits")
    func written() {
        for vector in ways.written {
            #expect(PercentEncoding.encode(vector["value"] ?? "", isInText: true) == vector["written"])
        }
    }

    @Test("pages and addresses are compared in one spelling")
    mutating func pages() throws {
        for vector in ways.pages {
            scanner.landingPages = [try #require(LandingPage(address: vector.page))]
            let referrer = scanner.judge(vector.address, on: .opened).referral?.referrer
            #expect(referrer == (vector.matches ? "anna" : nil), "\(vector.name)")
            #expect(scanner.judge(vector.address + "…", on: .pasteButton).referral == nil, "\(vector.name)")
        }
        for address in ways.refusedPages { #expect(LandingPage(address: address) == nil, "\(address)") }
    }

    @Test("an address in the source must be a page's")
    func mistake() async { await #expect(processExitsWith: .failure) { _ = LandingPage("example.com/get") } }

    @Test("the path of a page names the referrer")
    mutating func path() throws {
        var page = LandingPage("https://example.com/for/*", referrerIn: .path)
        (page.parameters, page.parameterItems) = (ways.path.parameters, ways.path.items)
        scanner.landingPages = [page]
        for vector in try #require(ways.path.read) {
            let referral = scanner.judge(try #require(vector.address), on: .opened).referral
            #expect(referral?.referrer == vector.referrer, "\(vector)")
            #expect(referral?.parameters == vector.parameters, "\(vector)")
        }
    }

    @Test("a pasted address counts without what the text adds at its end, and not if it was cut")
    mutating func pasted() {
        scanner.landingPages = [LandingPage("https://example.com/get", parameterItems: ["open"])]
        for vector in ways.pasted {
            let judgment = scanner.judge(vector.text, on: .pasteButton)
            #expect(judgment.referral?.referrer == vector.referrer, "\(vector.text.debugDescription)")
            #expect((judgment.error == .cutAddress) == (vector.cut ?? false), "\(vector.text.debugDescription)")
        }
        for vector in ways.sorted {
            let reason = scanner.judge(vector.text, on: .pasteButton).reason
            #expect(reason == "The address of the landing page names the referrer." + vector.note)
        }
    }

    @Test("an app reads the address of a landing page as the page itself does")
    mutating func queries() throws {
        let table = try readVectors("landing-addresses", as: Queries.self)
        var page = LandingPage("https://example.com/get", referrerItem: "ref", referrer: table.page.referrer)
        (page.parameters, page.parameterItems) = (table.page.parameters, table.page.items)
        scanner.landingPages = [page]
        for vector in table.cases {
            let referral = scanner.judge(page.address + (vector.query ?? ""), on: .opened).referral
            #expect(referral?.referrer == vector.referrer, "\(vector)")
            #expect(referral?.parameters == vector.parameters, "\(vector)")
        }
    }
}
