import Foundation
import ReferralBridge
import Testing

/// Custom product pages: the table that `site` writes, and the addresses that it refuses.
struct ProductPageTests {
    private static let options = [
        "site", "--app-id", "42", "--team", "ABCDE12345", "--bundle", "com.example.app", "--domain", "example.com",
        "--scheme", "trestle",
    ]
    private static let ids = ["45812c9b-c296-43d3-c6a0-c5a02f74bf6e", "45812C9B-C296-43D3-C6A0-C5A02F74BF6F"]
    /// Addresses, and the referrer of each.
    private static let rows = [
        ("https://example.com/get?ref=spring", "spring"),
        ("https://example.com/get/?ref=Gr%C3%BC%C3%9Fe,+2", "Grüße, 2"),
        ("trestle://get?ref=autumn&open=/boards/42", "autumn"),
    ]

    private func site(_ pages: [(String, String)], _ more: [String] = []) throws -> Tool.Outcome {
        try Tool.run(Self.options + pages.flatMap { ["--product-page", "\($0)=\($1)"] } + more)
    }

    @Test("the pages are a table and a step, and the app's landing pages include those of a scheme")
    func written() throws {
        try Tool.inFolder { folder in
            let pages = [(Self.ids[0], Self.rows[1].0), (Self.ids[1], Self.rows[2].0)]
            let outcome = try site(pages, ["--out", folder + "site"])
            #expect(outcome.status == 0, "\(outcome.error)")
            let table = try String(contentsOfFile: folder + "site/product-pages.csv", encoding: .utf8)
            #expect(table == "ppid,link\n\(pages[0].0),\"\(pages[0].1)\"\n\(pages[1].0),\(pages[1].1)\n")
            let steps = outcome.output
            for part in [
                "In App Store Connect, enter these deep links", "not yet tested on a device",
                "       \(pages[0].0)  \(pages[0].1)\n", #"LandingPage("trestle://get")"#,
            ] {
                #expect(steps.contains(part), "\(part)")
            }
        }
    }

    @Test("without a product page, there is no table and no step")
    func none() throws {
        let outcome = try site([])
        #expect(!outcome.output.contains("product"))
        #expect(outcome.status == 0)
    }

    @Test("the app accepts the addresses as they are", arguments: rows)
    func accepted(_ link: String, _ referrer: String) throws {
        #expect(try site([(Self.ids[0], link)]).status == 0)
        var scanner = ReferralScanner(appID: 42)
        scanner.landingPages = [LandingPage("https://example.com/get"), LandingPage("trestle://get")]
        let judgment = scanner.judge(opened: link)
        #expect(judgment.verdict == .found)
        #expect(judgment.arrival?.referrer == referrer)
        #expect(judgment.arrival?.road == .opened)
    }

    @Test(
        "a page that can't lead to the app is refused with the reason",
        arguments: [
            ("\(ids[0])", "write the product page's UUID, an equals sign and an address"),
            ("spring=https://example.com/get?ref=a", "'spring' isn't the UUID of a product page"),
            ("\(ids[0])=", "the address is missing"),
            ("\(ids[0])=https://example.com/get", "names no referrer"),
            ("\(ids[0])=https://example.com/get?ref=a\u{1B}", "isn't an address"),
            ("\(ids[0])=https://example.com/get?ref=a b", "isn't an address"),
            ("\(ids[0])=trestle:get?ref=a", "isn't an address"), ("\(ids[0])=https:///get?ref=a", "isn't an address"),
            ("\(ids[0])=https://example.com/get?ed=eyJ0", "has an ed, which counts for five minutes only"),
            ("\(ids[0])=https://example.com/get?ref={{campaign}}", "has the placeholder '{{campaign}}'"),
            ("\(ids[0])=MAILTO://get?ref=a", "begins with a scheme of the system's"),
            ("\(ids[0])=http://example.com/get?ref=a", "write https://"),
            ("\(ids[0])=https://other.example/get?ref=a", "its host is 'other.example', and --domain is 'example.com'"),
            ("\(ids[0])=https://example.com/got?ref=a", "add its path with --path"),
            ("\(ids[0])=paid://get?ref=a", "name the scheme with --scheme paid"),
        ]
    )
    func refused(_ value: String, _ reason: String) throws {
        let outcome = try Tool.run(Self.options + ["--product-page", value])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(reason), "\(outcome.error)")
        #expect(outcome.error.hasPrefix("referral-tool: --product-page '"))
        #expect(outcome.output == "")
    }

    @Test("a page is given once, whatever the case of its UUID")
    func twice() throws {
        let outcome = try site([(Self.ids[0], Self.rows[0].0), (Self.ids[0].uppercased(), Self.rows[0].0)])
        #expect(outcome.status == 64)
        #expect(outcome.error.contains("the product page is given twice"))
    }
}
