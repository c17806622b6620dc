import Foundation
import ReferralBridge
import Testing

struct ReferralLinkTests {
    static let payload = #"{"timestamp":1795224750690,"referrer":"x"}"#
    static let ed = Data(payload.utf8).base64EncodedString()  // ends in one "="
    static let path = "/us/app/trestle/id1300230302?ed=\(ed)"

    @Test(
        "addresses that are links",
        arguments: [
            "http://apps.apple.com\(path)", "itms-apps://apps.apple.com\(path)", "itms-appss://itunes.apple.com\(path)",
            "itms://apps.apple.com\(path)", "itmss://apps.apple.com\(path)", "ItMs-ApPs://apps.apple.com\(path)",
            "https://apps.apple.com:443\(path)", "https://apps.apple.com:\(path)",
            "https://apps.apple.com:99999999999\(path)",
            "\t\r\n\u{B}\u{C} https://apps.apple.com\(path) \n", "https://apps.apple.com\(path)#me@example.com",
            "https://apps.apple.com/app/id9/id1300230302/see-all?ed=\(ed)",
            "https://apps.apple.com/app/id12345678901234567890/id1300230302?ed=\(ed)",
            "https://apps.apple.com/app/id1300230302?id=9&ed=\(ed)",
            "https://apps.apple.com?id=1300230302&ed=\(ed)", "https://apps.apple.com/x?id=9&id=1300230302&id=&ed=\(ed)",
            "https://apps.apple.com/app/id1300230302?&&ed=\(ed)&",
            "https://apps.apple.com/app/id1300230302?ed=&ed=\(ed)",
        ]
    )
    func link(_ string: String) throws {
        let link = try ReferralLink(string, for: Fixture.app)
        #expect(link.referral.referrer == "x")
        #expect(link.appID == Fixture.app)
        #expect(link.address == string.trimmingCharacters(in: .whitespacesAndNewlines))
    }

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
            ("https://apps.apple.com/id1300230302?ed=_w", .invalidPayload(.invalidUTF8)),
        ]
    )
    func noLink(_ string: String, error: ReferralLinkError) {
        #expect(rule(string) == error)
    }

    @Test("without an app to compare with any app's link will do")
    func anyApp() throws {
        let link = try ReferralLink("https://apps.apple.com/id9?ed=\(Self.ed)")
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
            string,
            for: Fixture.app,
            additionalHosts: ["other.example", "eXample.com"]
        )
        #expect(link.appID == appID)
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
        let shortest = try ReferralLink(page: StorePage(head + "p"), referral: referral)
        let room = 65_536 - shortest.address.utf8.count + 1

        let longest = try StorePage(head + String(repeating: "p", count: room))
        let link = try ReferralLink(page: longest, referral: referral)
        #expect(link.address.utf8.count == 65_536)
        #expect(try ReferralLink(link.address).referral == referral)

        let tooLong = try StorePage(head + String(repeating: "p", count: room + 1))
        #expect(throws: ReferralLinkError.invalidAddress(.tooLong)) {
            try ReferralLink(page: tooLong, referral: referral)
        }
    }

    // MARK: Base64

    @Test(
        "what isn't base64 isn't a payload",
        arguments: [
            "A", "AAAAA", "AA=", "AAA==", "AAAA=", "AAAA==", "AAAA====", "=", "====", "AA=A", "A=AA", "AA==AAAA",
            "AA===",
            "AB==", "AAB=", "AB", "AAB", "AA.A", "AA%00A", "AAé", "AA\u{200B}AA", "AA%3DA",
        ]
    )
    func noBase64(_ ed: String) {
        #expect(rule(Fixture.link(ed: ed)) == .invalidPayload(.invalidBase64))
    }

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
