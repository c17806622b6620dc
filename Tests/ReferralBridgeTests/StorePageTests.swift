import ReferralBridge
import Testing

struct StorePageTests {
    @Test(
        "a page from its parts",
        arguments: [
            (try StorePage(appID: 42), "https://apps.apple.com/app/id42"),
            (try StorePage(appID: 42, storefront: "us"), "https://apps.apple.com/us/app/id42"),
            (try StorePage(appID: 42, storefront: "DE", slug: "a-b"), "https://apps.apple.com/de/app/a-b/id42"),
            (
                try StorePage(appID: 42, slug: "čeština / 1"),
                "https://apps.apple.com/app/%C4%8De%C5%A1tina%20%2F%201/id42"
            ),
            (
                try StorePage(
                    appID: 42,
                    campaign: Campaign(providerToken: "9", campaignToken: "a&b=c d"),
                    customProductPage: "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"
                ),
                "https://apps.apple.com/app/id42?ppid=45812c9b-c296-43d3-c6a0-c5a02f74bf6e&pt=9&ct=a%26b%3Dc%20d&mt=8"
            ),
        ]
    )
    func made(_ page: StorePage, address: String) throws {
        #expect(page.address == address)
        #expect(try StorePage(address) == page, "what is made from parts reads back the same")
    }

    @Test("the parts of an address that somebody copied")
    func parsed() throws {
        let page = try StorePage(
            " https://apps.apple.com/us/app/a%20b/id42?mt=8&ct=x%20y&pt=9&ppid=45812C9B-C296-43D3-C6A0-C5A02F74BF6E#top\n"
        )
        #expect(page.appID == 42)
        #expect(page.item(named: "ct") == "x y")
        #expect(page.address.hasPrefix("https://"))
        #expect(page.address.hasSuffix("#top"))
    }

    @Test(
        "a campaign replaces the page's own and leaves the rest byte for byte",
        arguments: [
            ("https://apps.apple.com/app/id42", "https://apps.apple.com/app/id42?pt=1&ct=new&mt=8"),
            (
                "https://apps.apple.com/app/id42?ct=a%20b&x=%20y+&pt=9#z",
                "https://apps.apple.com/app/id42?x=%20y+&pt=1&ct=new&mt=8#z"
            ),
            ("https://apps.apple.com/app/id42?mt=8&pt=9&ct=1&ct=2", "https://apps.apple.com/app/id42?mt=8&pt=1&ct=new"),
            (
                "https://apps.apple.com/app/id42?act=1&CT=2",
                "https://apps.apple.com/app/id42?act=1&CT=2&pt=1&ct=new&mt=8"
            ),
        ]
    )
    func replaced(_ address: String, expected: String) throws {
        let campaign = try Campaign(providerToken: "1", campaignToken: "new")
        #expect(try StorePage(address).with(campaign: campaign).address == expected)
    }

    @Test("with nothing to replace an address stays as it is")
    func untouched() throws {
        let address = "https://apps.apple.com/app/id42?&&a=1&#"
        #expect(try StorePage(address).with().address == address)
    }

    private static func problem(_ make: () throws(StorePageError) -> Void) -> String? {
        do { try make() } catch {
            return if case .invalidPart(let name, let problem) = error { "\(name): \(problem)" } else { "\(error)" }
        }
        return nil
    }

    @Test("parts that are wrong are named")
    func wrongParts() {
        // The neighbours of the letters in ASCII are none.
        for storefront in ["usa", "ü", "u{", "u`", "u@", "u["] {
            let problem = Self.problem { () throws(StorePageError) in
                _ = try StorePage(appID: 42, storefront: storefront)
            }
            #expect(problem?.hasPrefix("storefront: The storefront is “\(storefront)”; it must be a country") == true)
        }
        for slug in ["", ".."] {
            let problem = Self.problem { () throws(StorePageError) in _ = try StorePage(appID: 42, slug: slug) }
            #expect(problem?.hasPrefix("slug: The slug is “\(slug)”; it must be a name") == true)
        }
        for ppid in [
            "1", "", "45812c9b-c296-43d3-c6a0-c5a02f74bf6", "45812c9bc29643d3c6a0c5a02f74bf6e00000",
            "+5812c9b-c296-43d3-c6a0-c5a02f74bf6e", "45812c9b--c296-43d3-c6a0-c5a02f74bf6e",
        ] {
            let problem = Self.problem { () throws(StorePageError) in
                _ = try StorePage(appID: 42, customProductPage: ppid)
            }
            #expect(problem == "ppid: The product page ppid is “\(ppid)”; it must be a UUID.")
        }
    }

    @Test(
        "a campaign has a number and a token of at most 40 bytes, not characters",
        arguments: [
            (
                "1.18E+08", "a",
                "pt: The provider token pt is “1.18E+08”; it must be digits only. A spreadsheet changed it: format its column as text."
            ),
            ("118 915", "a", "pt: The provider token pt is “118 915”; it must be digits only."),
            ("१", "a", "pt: The provider token pt is “१”; it must be digits only."),
            ("", "a", "pt: The provider token pt is empty."),
            ("1", "", "ct: The campaign token ct has 0 bytes; it must have 1 to 40."),
            ("1", String(repeating: "a", count: 41), "ct: The campaign token ct has 41 bytes; it must have 1 to 40."),
            ("1", String(repeating: "é", count: 21), "ct: The campaign token ct has 42 bytes; it must have 1 to 40."),
            ("1", String(repeating: "a", count: 40), nil), ("1", String(repeating: "é", count: 20), nil),
        ]
    )
    func tokens(pt: String, ct: String, problem: String?) {
        let found = Self.problem { () throws(StorePageError) in _ = try Campaign(providerToken: pt, campaignToken: ct) }
        #expect(found == problem)
    }

    @Test(
        "addresses that aren't store pages",
        arguments: [
            ("apps.apple.com/app/id42", StorePageError.unsupportedScheme),
            ("", .unsupportedScheme),
            ("ftp://apps.apple.com/app/id42", .unsupportedScheme),
            ("https://example.com/app/id42", .unsupportedHost),
            ("https://me@apps.apple.com/app/id42", .containsUserInfo),
            ("https://apps.apple.com/us", .missingAppID),
            ("https://apps.apple.com/app/id12345678901234567890", .missingAppID),
            ("https://apps.apple.com/app/name/6755948110?platform=mac", .missingIDPrefix),
            ("https://apps.apple.com/app/6749556847/", .missingIDPrefix),
            ("https://apps.apple.com/us/story/6749556847", .missingAppID),
            ("https://apps.apple.com/app/67495568471234567890", .missingAppID),
            ("https://apps.apple.com/developer/id1136144960", .notAnAppPage(kind: "developer")),
            (
                "https://itunes.apple.com/cn/developer/someone/id1228179246?l=en&mt=8",
                .notAnAppPage(kind: "developer")
            ),
            ("https://apps.apple.com/us/story/id1484100916", .notAnAppPage(kind: "story")),
            ("https://apps.apple.com/us/iphone/story/id1484100916", .notAnAppPage(kind: "story")),
            (
                "https://apps.apple.com/us/app-bundle/some-bundle/id1450038993?mt=12",
                .notAnAppPage(kind: "app-bundle")
            ),
            (
                "https://itunes.apple.com/us/Movie/some-movie/id272967721?uo=4&at=10laHb",
                .notAnAppPage(kind: "movie")
            ),
            ("https://itunes.apple.com/lookup?id=1300230302", .notAnAppPage(kind: "lookup")),
            ("https://apps.apple.com/developer/id42?a=\u{202E}", .containsControlCharacter),
            ("https://apps.apple.com/app/id42?a=\n&b", .containsControlCharacter),
            ("https://apps.apple.com/app/id42?a=\u{85}", .containsControlCharacter),
            ("https://apps.apple.com/app/id42#\u{2028}", .containsControlCharacter),
            ("https://apps.apple.com/app/id42?a=\u{202E}", .containsControlCharacter),
            ("https://apps.apple.com/app/id42?" + String(repeating: "a", count: 65_536), .tooLong),
        ]
    )
    func noPage(_ address: String, error: StorePageError) {
        #expect(throws: error) { try StorePage(address) }
    }

    @Test(
        "an app may be called like another kind of page",
        arguments: [
            "us/app/developer/id42", "app/story/id42", "us/iphone/app/movie/id42", "developers/id42", "id42/story",
            "us/mac-app/id42",
        ]
    )
    func appPage(_ path: String) throws {
        #expect(try StorePage("https://apps.apple.com/\(path)").appID == 42)
    }

    @Test("an address that was copied from HTML gets a note")
    func note() throws {
        let address = "https://apps.apple.com/us/app/name/id42?itsct=a&amp;itscg=30200"
        #expect(try StorePage(address).note?.contains("write & in its place") == true)
        for address in [
            "https://apps.apple.com/us/app/a&amp;b/id42?x=1&y=2", "https://apps.apple.com/id42?ct=&amp#&amp;",
        ] {
            #expect(try StorePage(address).note == nil)
        }
    }

    @Test("an app id is 1 to 19 ASCII digits", arguments: ["1", "0012", "1300230302", "9999999999999999999"])
    func appID(_ digits: String) {
        #expect(AppID(digits)?.description == digits)
    }

    @Test("and nothing else is", arguments: ["", "12345678901234567890", "1 ", "-1", "id1", "١٢", "1\u{301}"])
    func noAppID(_ text: String) {
        #expect(AppID(text) == nil)
    }
}
