import Foundation
import Testing

/// Addresses that people copied: which ones are an app's, and what is said about the others.
struct AddressTests {
    private static let noApps = [
        (
            "https://apps.apple.com/developer/id1136144960",
            "another page of the store ('developer'). Copy the address of the app's own page."
        ),
        ("https://itunes.apple.com/us/movie/some-movie/id272967721?uo=4", "another page of the store ('movie')"),
        ("https://apps.apple.com/app/6749556847", "write id before the number at the end of its path"),
    ]

    @Test("a page that isn't an app's is refused wherever an address is expected", arguments: noApps)
    func noApp(address: String, reason: String) throws {
        for command in ["link", "links", "page"] {
            let name = command == "page" ? "--name=T" : "--at=now"
            let referrer = command == "links" ? [] : ["--referrer=x"]
            let outcome = try Tool.run(
                [command, "--page", address, name] + referrer,
                input: Data("referrer\nx\n".utf8)
            )
            #expect(outcome.status == 64)
            #expect(outcome.output == "")
            #expect(outcome.error.hasPrefix("referral-tool: --page '\(address)': The address names no app"))
            #expect(outcome.error.contains(reason), "\(outcome.error)")
        }
        let row = try Tool.run("links", "--at=now", input: "referrer,page\nanna,\(address)\n")
        #expect(row.status == 65)
        #expect(row.error.hasPrefix("standard input:2: page: The address names no app"))
        #expect(row.error.contains(reason), "\(row.error)")
    }

    @Test("an address from HTML is used as it is, and its &amp; is noted once")
    func escaped() throws {
        let address = "https://apps.apple.com/id1571998974?itsct=badge&amp;itscg=30200"
        let note =
            "it contains &amp;, as in HTML, so the store doesn't recognize the items after it; write & in its place\n"
        for arguments in [["link", "--referrer=x"], ["links", "--at=now"], ["page", "--name=T", "--referrer=x"]] {
            for (address, note) in [
                (address, "referral-tool: --page '\(address)': \(note)"), (address.replacing("&amp;", with: "&"), ""),
            ] {
                let outcome = try Tool.run(arguments + ["--page", address], input: Data("referrer\nx\n".utf8))
                #expect(outcome.status == 0)
                #expect(outcome.error == note)
                #expect(!outcome.output.isEmpty)
            }
        }
        #expect(try Tool.run("links", "--at=now", "--quiet", "--page", address, input: "referrer\nx\n").error == "")
    }

    @Test("a provider token has digits only, in an option and in a row")
    func providerToken() throws {
        let reason =
            "The provider token pt is “1.18E+08”; it must be digits only. A spreadsheet changed it: format its column as text."
        let row = try Tool.run(
            "links",
            "--app-id=42",
            "--at=now",
            input: "referrer,ct,pt\nanna,spring,1.18E+08\nbob,spring,118\n"
        )
        #expect(row.error == "standard input:2: pt: \(reason)\n")
        #expect(row.status == 65)
        #expect(row.output.split(separator: "\n").last?.hasPrefix("bob,spring,118,https://") == true)
        let link = try Tool.run("link", "--app-id=42", "--referrer=x", "--pt=1.18E+08", "--ct=spring")
        #expect(link.error == "referral-tool: --pt '1.18E+08': \(reason)\n")
        #expect(link.status == 64)
    }
}
