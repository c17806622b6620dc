import Foundation
import ReferralSiteCheck
import Testing

/// The rule for the addresses of custom product pages, on the good site of `SiteTests`.
struct ProductPageTests {
    private static let id = "45812c9b-c296-43d3-c6a0-c5a02f74bf6e"

    private func checked(
        _ pages: [(id: String, link: String)],
        _ change: (inout [String: String]) -> Void = { _ in }
    ) throws -> CheckedFolder {
        var files = SiteTests.files
        change(&files)
        return try CheckedFolder(
            files.mapValues { Data($0.utf8) },
            productPages: pages.map { ProductPage(id: $0.id, link: $0.link) }
        )
    }

    private func notes(_ checked: CheckedFolder) -> [String] {
        checked.notes.filter { $0.rule == "product-page" }.map(\.message.text)
    }

    @Test(
        "a note says which referrer an address gives",
        arguments: PageCases.all("referrers")
    )
    func referrer(_ end: String, _ link: String) throws {
        let checked = try checked([(Self.id, link)])
        #expect(checked.filed == [], "\(checked.findings)")
        #expect(notes(checked) == ["opens the app with the referrer \(end)"])
        #expect(checked.filedNotes.contains("product-page pages.csv 2:38"))
        #expect(checked.counts[.productPages] == 1)
        #expect(checked.summary.hasSuffix("1 association file, 1 product page's address"), "\(checked.summary)")
    }

    @Test(
        "an address that doesn't bring a referrer into the app is named with the reason",
        arguments: PageCases.all("product")
    )
    func mistake(_ problem: String, _ link: String) throws {
        let checked = try checked([(Self.id, link)])
        #expect(checked.filed == ["product-page pages.csv 2:38"])
        #expect(checked.findings.first?.message.text.contains(problem) == true, "\(checked.findings)")
        #expect(notes(checked) == [])
    }

    @Test(
        "a page is known by its UUID",
        arguments: ["", "spring", "{\(id)}", id + "0", " " + id.dropFirst(), "+" + id.dropFirst(), "\u{202E}"]
    )
    func invalidID(_ id: String) throws {
        let checked = try checked([(id, "https://example.com/get?ref=spring")])
        #expect(checked.filed == ["product-page pages.csv 2:1"])
        #expect(checked.findings.first?.message.text.contains("UUID of ") == true)
        // The address is judged all the same.
        #expect(notes(checked).count == 1)
    }

    @Test("a page has one address, whatever the case of its UUID")
    func twice() throws {
        let other = Self.id.replacing("4", with: "5")
        let links = [(Self.id, "a"), (other, "a"), (Self.id.uppercased(), "b"), ("x", "c"), ("x", "d")]
        let checked = try checked(links.map { ($0, "https://example.com/get?ref=\($1)") })
        #expect(checked.filed == [4, 5, 6].map { "product-page pages.csv \($0):1" })
        #expect(
            checked.findings.first?.message.text
                == "the product page '\(Self.id.uppercased())' has an address in line 2 already"
        )
    }

    @Test("the item and the referrer are those of the landing page at the path")
    func landingPage() throws {
        let links = [
            (Self.id, "https://example.com/get?ref=spring"),
            ("\(Self.id.dropLast())0", "https://example.com/get?by=spring"),
        ]
        let checked = try checked(links) { files in
            files["get/index.html"] = files["get/index.html"]?.replacing("from=\"ref\"", with: "from=\"by\"")
            files[SiteTests.association] = files[SiteTests.association]?.replacing("\"ref\"", with: "\"by\"")
        }
        #expect(
            checked.findings.map(\.message.text) == [
                "'https://example.com/get?ref=spring' names no referrer; add the item 'by', as in ?by=NAME"
            ]
        )
        #expect(notes(checked) == ["opens the app with the referrer 'spring'"])
        let own = try self.checked([(Self.id, "https://example.com/get")]) { files in
            files["get/index.html"] = files["get/index.html"]?.replacing(
                "from=\"ref\"",
                with: "from=\"ref\" data-referrer=site"
            )
            files[SiteTests.association] = files[SiteTests.association]?.replacing(#", "?": {"ref": "?*"}"#, with: "")
        }
        #expect(own.filed == [])
        #expect(notes(own) == ["opens the app with the referrer 'site'"])
    }

    @Test("the home page of the site isn't that of an address with a scheme")
    func homePage() throws {
        let checked = try checked([(Self.id, "trestle://get?ref=spring")]) { files in
            files["index.html"] = files["get/index.html"]?.replacing("from=\"ref\"", with: "from=\"by\"")
        }
        #expect(notes(checked) == ["opens the app with the referrer 'spring', if the app registers the scheme"])
    }

    @Test("without the entitlements, the association file may be on any host")
    func anyHost() throws {
        let checked = try checked([(Self.id, "https://other.example/get?ref=spring")]) { $0["App.entitlements"] = nil }
        #expect(checked.filed == [])
        #expect(
            notes(checked) == [
                "opens the app with the referrer 'spring', if the association file is on 'other.example'"
            ]
        )
    }

    @Test(
        "a domain with an asterisk stands for its subdomains",
        arguments: [("go.example.com", 0), ("example.com", 1), ("notexample.com", 1)]
    )
    func wildcard(_ host: String, _ count: Int) throws {
        let checked = try checked([(Self.id, "https://\(host)/get?ref=spring")]) { files in
            files["App.entitlements"] = files["App.entitlements"]?.replacing(
                "applinks:example.com",
                with: "applinks:*.example.com"
            )
        }
        #expect(checked.findings.count == count, "\(checked.findings)")
    }

    @Test("an address on the site needs an association file, and one of a scheme doesn't")
    func noFile() throws {
        func filed(_ link: String) throws -> CheckedFolder {
            try checked([(Self.id, link)]) { files in
                for name in [SiteTests.association, "App.entitlements", "get/index.html"] { files[name] = nil }
            }
        }
        let web = try filed("https://example.com/get?ref=spring")
        #expect(web.filed == ["no-association pages.csv 2:38"])
        #expect(notes(web).first?.contains("nobody knows whether it opens the app") == true)
        #expect(try filed("trestle://get?ref=spring").filed == [])
    }

    @Test("an invalid association file is the only problem")
    func invalidFile() throws {
        let checked = try checked([(Self.id, "https://example.com/got?ref=spring")]) { $0[SiteTests.association] = "[" }
        #expect(checked.findings.map(\.rule) == ["association-json"])
    }

    @Test("a scheme that the Info.plist doesn't register opens no app")
    func scheme() throws {
        let checked = try checked([(Self.id, "trestel://get?ref=spring")])
        #expect(checked.filed == ["unregistered-scheme pages.csv 2:38"])
        #expect(checked.findings.first?.message.text.contains("the scheme 'trestel' of this address; add it") == true)
        let unknown = try self.checked([(Self.id, "trestel://get?ref=spring")]) { $0["Info.plist"] = nil }
        #expect(unknown.filed == [])
    }
}
