import ReferralBridge
import TestSupport
import Testing

/// An app reads the address of a landing page as the page itself does, whose tests use the same file.
struct LandingAddressTests {
    struct Table: Decodable {
        struct Page: Decodable {
            let referrer: String
            let parameters: [String: String]
            let items: [String]

            var landingPage: LandingPage {
                var page = LandingPage("https://example.com/get", referrerItem: "ref", referrer: referrer)
                (page.parameters, page.parameterItems) = (parameters, items)
                return page
            }
        }

        struct Case: Decodable {
            let name: String
            let query: String
            let referrer: String
            let parameters: [String: String]
        }

        let page: Page
        let cases: [Case]
    }

    @Test("page and app read the same of an address")
    func cases() throws {
        let table = try readVectors("landing-addresses", as: Table.self)
        #expect(table.cases.count >= 30)
        var scanner = ReferralScanner(appID: 1_300_230_302)
        scanner.landingPages = [table.page.landingPage]
        for vector in table.cases {
            let referral = scanner.judge("https://example.com/get" + vector.query, on: .opened).arrival?.referral
            #expect(referral?.referrer == vector.referrer, "\(vector.name)")
            #expect(referral?.parameters == vector.parameters, "\(vector.name)")
        }
    }
}
