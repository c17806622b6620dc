import Foundation
import ReferralBridge
import Testing

/// An app and a page that were written after the blog post of 2019, *Passing data through the App Store with UIPasteboard*.
struct BlogPostTests {
    /// What such an app reads.
    private struct Data2019: Decodable {
        let referrer: String
    }

    /// The steps of such an app, up to the referrer.
    private func read2019(_ string: String) -> String? {
        let items = URL(string: string).flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false)?.queryItems }
        guard let value = items?.first(where: { $0.name == "ed" })?.value, let data = Data(base64Encoded: value) else {
            return nil
        }
        return try? JSONDecoder().decode(Data2019.self, from: data).referrer
    }

    /// What such a page puts behind an address, for text in Latin-1.
    private func write2019(_ json: String) throws -> String {
        try #require(json.data(using: .isoLatin1)).base64EncodedString()
    }

    private static let referrers = (1...300).map { "r" + String(repeating: "x", count: $0 % 60) }

    private func links(_ referrers: [String], isPadded: Bool) throws -> [String] {
        try referrers.map { referrer in
            let referral = try Referral(referrer: referrer)
            return try ReferralLink(page: StorePage(appID: Fixture.app), referral: referral, isPadded: isPadded).address
        }
    }

    @Test("its app reads every padded link, and a third of the others")
    func olderApp() throws {
        #expect(try links(Self.referrers, isPadded: true).map(read2019) == Self.referrers)
        #expect(try links(Self.referrers, isPadded: false).compactMap(read2019).count == 100)
    }

    @Test("a padded link has the other alphabet, too", arguments: ["~~~???", "ûûû>>>", "語🎉", "a b+c/d=e"])
    func alphabet(_ referrer: String) throws {
        #expect(try links([referrer], isPadded: true).map(read2019) == [referrer])
    }

    @Test("this library reads a padded link like any other", arguments: referrers.prefix(3) + ["~~~???", "語🎉"])
    func padded(_ referrer: String) throws {
        let referral = try Referral(referrer: referrer, parameters: ["pack": "gold"])
        let link = try ReferralLink(page: StorePage(appID: Fixture.app), referral: referral, isPadded: true)
        #expect(try ReferralLink(parsing: link.address, for: Fixture.app) == link)
        #expect(try ReferralLink(parsing: link.address).referral == referral)
    }

    @Test("its page's links are read, with their milliseconds, and without what they add for themselves")
    func olderPage() throws {
        let ed = try write2019(#"{"timestamp":1795224750690,"referrer":"pasteboard-blog-post","level":7}"#)
        let link = "https://itunes.apple.com/us/app/trestle-the-new-sudoku/id1300230302?mt=8&ed=\(ed)"
        let result = ReferralScanner(appID: Fixture.app).scan([link], now: Timestamp(milliseconds: 1_795_224_760_000))
        #expect(result.verdicts == [.found])
        #expect(result.referral?.referrer == "pasteboard-blog-post")
        #expect(result.referral?.parameters == [:])
    }

    @Test("text in Latin-1 isn't read, and neither is a payload behind a fragment")
    func faults() throws {
        let ed = try write2019(#"{"timestamp":1795224750690,"referrer":"café"}"#)
        #expect(throws: ReferralLinkError.invalidPayload(.invalidUTF8)) {
            try ReferralLink(parsing: "https://apps.apple.com/app/id1300230302?ed=\(ed)")
        }
        #expect(throws: ReferralLinkError.missingPayload) {
            try ReferralLink(parsing: "https://apps.apple.com/app/id1300230302#reviews?ed=\(ReferralLinkTests.ed)")
        }
    }
}
