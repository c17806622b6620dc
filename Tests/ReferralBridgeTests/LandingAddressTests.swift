import ReferralBridge
import TestSupport
import Testing

/// An app reads the address of a landing page as the page itself does, whose tests use the same file.
struct LandingAddressTests {
    struct Table: Decodable {
        struct Page: Codable {
            let referrer: String
            let parameters: [String: String]
            let items: [String]
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
        let scanner = Self.scanner(table.page, at: ["https://example.com/get"])
        for vector in table.cases {
            let referral = scanner.judge("https://example.com/get" + vector.query, on: .opened).arrival?.referral
            #expect(referral?.referrer == vector.referrer, "\(vector.name)")
            #expect(referral?.parameters == vector.parameters, "\(vector.name)")
        }
    }

    static func scanner(_ page: Table.Page, at addresses: [String]) -> ReferralScanner {
        var scanner = ReferralScanner(appID: 1_300_230_302)
        scanner.landingPages = addresses.map {
            LandingPage($0, referrer: page.referrer, parameters: page.parameters, parameterItems: page.items)
        }
        return scanner
    }
}
