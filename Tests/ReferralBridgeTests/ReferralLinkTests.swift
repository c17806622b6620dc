import Foundation
import ReferralBridge
import Testing

struct ReferralLinkTests {
    static let payload = #"{"timestamp":1795224750690,"referrer":"x"}"#
    static let ed = Data(payload.utf8).base64EncodedString()  // ends in one "="
    static let path = "/us/app/trestle/id1300230302?ed=\(ed)"

    // The vectors have every form of an address and of a payload.
    @Test(
        "the first rule that a string breaks is its error",
        arguments: [
            ("ahttps://apps.apple.com\(path)", ReferralLinkError.invalidAddress(.unsupportedScheme)),
            ("https://www.apps.apple.com\(path)", .invalidAddress(.unsupportedHost)),
            ("https://apps.apple.com\\@example.com\(path)", .invalidAddress(.containsUserInfo)),
            ("https://apps.apple.com#/id1300230302?ed=\(ed)", .invalidAddress(.missingAppID)),
            ("https://apps.apple.com/id9?ed=!!!", .wrongApp),
            ("https://apps.apple.com/id1300230302?ed=\(ed)&ed=", .missingPayload),
            ("https://apps.apple.com/id1300230302?ed=\(ed)%g0", .invalidPayload(.invalidPercentEncoding)),
            ("https://apps.apple.com/id1300230302?ed=AB", .invalidPayload(.invalidBase64)),
            ("https://apps.apple.com/id1300230302?ed=_w", .invalidPayload(.invalidUTF8)),
        ]
    )
    func noLink(_ string: String, error: ReferralLinkError) {
        #expect(rule(string) == error)
    }

    @Test("without an app to compare with any app's link will do")
    func anyApp() throws {
        let link = try ReferralLink(parsing: "https://apps.apple.com/id9?ed=\(Self.ed)")
        #expect(link.appID == 9)
    }

    @Test(
        "an additional host names an app in its path alone, or none",
        arguments: [
            ("https://Example.COM:8080/get?id=9&ed=\(ed)", nil), ("https://example.com?ed=\(ed)", nil),
            ("https://example.com/id1300230302?ed=\(ed)", Fixture.app),
        ] as [(String, AppID?)]
    )
    func additionalHost(_ string: String, appID: AppID?) throws {
        let link = try ReferralLink(
            parsing: string,
            for: Fixture.app,
            additionalHosts: ["other.example", "eXample.com"]
        )
        #expect(link.appID == appID)
        #expect(link.page == nil)
        #expect(rule(string) == .invalidAddress(.unsupportedHost), "unless the app names the host")
        #expect(
            rule("https://www.example.com/?ed=\(Self.ed)", hosts: ["example.com"]) == .invalidAddress(.unsupportedHost)
        )
        #expect(rule("https://[/?ed=\(Self.ed)", hosts: ["{"]) == .invalidAddress(.unsupportedHost))
    }

    @Test("a link has at most 65,536 bytes, white space around it not counted")
    func length() throws {
        let head = "https://apps.apple.com/id1300230302?ed=\(Self.ed)&pad="
        let longest = head + String(repeating: "p", count: 65_536 - head.utf8.count)
        #expect(rule("  \(longest)  ") == nil)
        #expect(rule(longest + "p") == .invalidAddress(.tooLong))
        #expect(rule("https://example.com/" + longest) == .invalidAddress(.tooLong), "the length comes before the host")
    }

    @Test("a link that could not be read back is not made")
    func tooLongToWrite() throws {
        let referral = try Referral(referrer: "x", timestamp: Fixture.now)
        let head = "https://apps.apple.com/id1?"
        let shortest = try ReferralLink(page: StorePage(parsing: head + "p"), referral: referral)
        let room = 65_536 - shortest.address.utf8.count + 1

        let longest = try StorePage(parsing: head + String(repeating: "p", count: room))
        let link = try ReferralLink(page: longest, referral: referral)
        #expect(link.address.utf8.count == 65_536)
        #expect(try ReferralLink(parsing: link.address).referral == referral)

        let tooLong = try StorePage(parsing: head + String(repeating: "p", count: room + 1))
        #expect(throws: ReferralLinkError.invalidAddress(.tooLong)) {
            try ReferralLink(page: tooLong, referral: referral)
        }
    }

    @Test("a link's page is the address without the referral")
    func page() throws {
        let page = try StorePage(parsing: "https://apps.apple.com/us/app/a/id42?pt=9&ct=a%20b&mt=8#top")
        let link = try ReferralLink(page: page, referral: Referral(referrer: "x"))
        #expect(link.page == page)
        #expect(try ReferralLink(parsing: link.address) == link)
    }

    // MARK: Base64

    @Test("a payload over 8,192 bytes is too long, unless it isn't base64 at all")
    func payloadLength() {
        func payload(_ count: Int) -> String {
            let head = #"{"timestamp":1795224750690,"referrer":"x","pad":""#
            return head + String(repeating: "p", count: count - head.utf8.count - 2) + "\"}"
        }
        #expect(rule(Fixture.link(payload: payload(8_192))) == nil)
        #expect(rule(Fixture.link(payload: payload(8_193))) == .invalidPayload(.payloadTooLong))
        #expect(rule(Fixture.link(payload: payload(30_000))) == .invalidPayload(.payloadTooLong))
        let long = Data(payload(30_000).utf8).base64EncodedString()
        #expect(rule(Fixture.link(ed: long + "!")) == .invalidPayload(.invalidBase64))
        #expect(rule(Fixture.link(ed: long + "%")) == .invalidPayload(.invalidPercentEncoding))
    }
}
