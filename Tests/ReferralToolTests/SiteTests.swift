import Foundation
import Testing

/// `site` as a process, and `check` with the files that it writes.
struct SiteTests {
    private static let options = [
        "site", "--app-id", "42", "--team", "ABCDE12345", "--bundle", "com.example.app", "--domain", "example.com",
    ]
    private static let more = [
        "--path", "/get", "--path", "/boards/*", "--clip", "com.example.app.Clip", "--scheme", "trestle",
    ]

    private struct Files {
        let files: [(path: String, text: String)]

        subscript(path: String) -> String { files.first { $0.path == path }?.text ?? "" }
    }

    /// The files that are printed, one after another.
    private func files(_ more: [String] = [], of options: [String] = options) throws -> Files {
        let outcome = try Tool.run(options + more)
        #expect(outcome.status == 0)
        let parts = ("\n" + outcome.output).components(separatedBy: "\n==> ").dropFirst()
        return Files(
            files: parts.map { part in
                let words = part.components(separatedBy: " <==\n")
                return (words[0], words[1])
            }
        )
    }

    @Test("the least is an association file, entitlements, a banner and the steps")
    func least() throws {
        let files = try files()
        #expect(
            files.files.map(\.path) == [
                ".well-known/apple-app-site-association", "App.entitlements", "banner.html", "steps.txt",
            ]
        )
        #expect(
            files[".well-known/apple-app-site-association"] == """
                {
                  "applinks": {
                    "details": [
                      {
                        "appIDs": ["ABCDE12345.com.example.app"],
                        "components": [
                          {"/": "/get", "?": {"via": "?*"}}
                        ]
                      }
                    ]
                  }
                }

                """
        )
        #expect(
            files["banner.html"]
                == #"<meta name="apple-itunes-app" content="app-id=42, app-argument=https://example.com/get?via=banner">"#
                + "\n"
        )
        for part in [
            "curl -i https://example.com/.well-known/apple-app-site-association", "mode=developer",
            "https://app-site-association.cdn-apple.com/a/v1/example.com", "swcutil", "installed",
            #"LandingPage("https://example.com/get")"#,
        ] {
            #expect(files["steps.txt"].contains(part), "\(part)")
        }
        #expect(!files["steps.txt"].contains("Clip"))
    }

    private func list(_ text: String) throws -> [String: Any]? {
        try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any]
    }

    @Test("an App Clip and schemes have files of their own")
    func most() throws {
        let files = try files(Self.more)
        let data = Data(files[".well-known/apple-app-site-association"].utf8)
        let association = try #require(JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
        #expect(association["appclips"]?["apps"] as? [String] == ["ABCDE12345.com.example.app.Clip"])
        let domains = "com.apple.developer.associated-domains"
        let app = try list(files["App.entitlements"])
        #expect(app?[domains] as? [String] == ["applinks:example.com", "appclips:example.com"])
        let clip = try list(files["Clip.entitlements"])
        #expect(clip?[domains] as? [String] == ["appclips:example.com"])
        let parents = clip?["com.apple.developer.parent-application-identifiers"] as? [String]
        #expect(parents == ["$(AppIdentifierPrefix)com.example.app"])
        let types = try list(files["Info.plist"])?["CFBundleURLTypes"] as? [[String: Any]]
        #expect(types?.first?["CFBundleURLSchemes"] as? [String] == ["trestle"])
        #expect(
            files["banner.html"].contains(
                "app-clip-bundle-id=com.example.app.Clip, app-clip-display=card, app-argument"
            )
        )
        #expect(files["steps.txt"].contains(#"LandingPage("https://example.com/boards/*", referrerIn: .path)"#))
        #expect(files[".well-known/apple-app-site-association"].contains(#"          {"/": "/boards/*"}\#n"#))
        let host = Array(Self.options.dropLast()) + ["Bücher.example"]
        let named = try self.files(["--path", "/boards/*", "--referrer-item", "from"], of: host)
        #expect(named["steps.txt"].contains(#"("https://xn--bcher-kva.example/boards/*", referrerItem: "from")"#))
        #expect(named[".well-known/apple-app-site-association"].contains(#"{"/": "/boards/*", "?": {"from": "?*"}}"#))
    }

    @Test("what is written passes the check, and other files are kept")
    func written() throws {
        try Tool.inFolder { folder in
            let site = folder + "site"
            let outcome = try Tool.run(Self.options + Self.more + ["--out", site])
            #expect(outcome.status == 0, "\(outcome.error)")
            #expect(outcome.output.hasPrefix("1. Put .well-known/apple-app-site-association on the site"))
            #expect(try Tool.run(Self.options + Self.more + ["--out", site + "/"]).status == 0)
            let page = try Tool.run(["page", "--app-id", "42", "--name", "Trestle", "--out", site + "/get.html"])
            #expect(page.status == 0)
            let check = [
                "check", site, "--app-id", "42", "--info-plist", site + "/Info.plist", "--entitlements",
                site + "/App.entitlements",
            ]
            let checked = try Tool.run(check)
            #expect(checked.status == 0, "\(checked.output)")
            #expect(checked.output.contains(", 1 association file\n"))

            let other = try Tool.run(Self.options + ["--out", site])
            #expect(other.status == 64)
            #expect(other.error.contains("association exists already"))
            #expect(try Tool.run(check).output == checked.output)
        }
    }

    @Test(
        "a wrong value is refused with the right form",
        arguments: [
            (["--team", "abcde12345"], "10 capital letters"), (["--team", "ABCDE1234"], "10 capital letters"),
            (["--bundle", "com..app"], "a bundle id has"), (["--bundle", "com.exämple"], "a bundle id has"),
            (["--domain", "https://example.com"], "without a scheme"), (["--domain", "example.com:8080"], "a port"),
            (["--domain", "localhost"], "a host is"), (["--domain", "-a.example"], "a host is"),
            (["--path", "get"], "begins with a slash"), (["--path", "/get?via=a"], "begins with a slash"),
            (["--path", "/$(lang)"], "begins with a slash"), (["--path", "/*/get"], "begins with a slash"),
            (["--clip", "com.example.other.Clip"], "com.example.app.Clip"), (["--scheme", "https"], "the system's"),
            (["--scheme", "trestle:"], "has no colon"),
        ]
    )
    func values(_ wrong: [String], _ form: String) throws {
        var arguments = Self.options
        if let index = arguments.firstIndex(of: wrong[0]) { arguments.removeSubrange(index...(index + 1)) }
        let outcome = try Tool.run(arguments + wrong)
        #expect(outcome.status == 64)
        #expect(outcome.error.contains(form), "\(outcome.error)")
        #expect(outcome.output == "")
    }

    // MARK: check

    @Test("check names the rule and the place in each file, as text and as JSON")
    func check() throws {
        let list =
            "<plist><dict><key>com.apple.developer.associated-domains</key>\n<array><string>applinks:https://a.example</string></array></dict></plist>"
        let association =
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.b"],"components":[{"/":"/x","exclude":true}]}]}}"#
        let files = [
            "x.html": Data("<p><a href='https://apps.apple.com/app/id42' data-referrer-from=via>".utf8),
            "apple-app-site-association": Data(association.utf8), "App.entitlements": Data(list.utf8),
            "referral-bridge.js": Data(),
        ]
        try Tool.inFolder(files) { folder in
            let arguments = ["check", folder, "--entitlements", folder + "App.entitlements"]
            let text = try Tool.run(arguments)
            #expect(
                text.output.contains("\(folder)App.entitlements:2:8: 'applinks:https://a.example' has a scheme; write ")
            )
            #expect(text.output.contains("\(folder)apple-app-site-association:1:66: this excludes the landing page '"))
            #expect(text.status == 1)
            #expect(text.error.hasSuffix("3 problems: 1 in 1 of 1 page, 2 in the site's files\n"), "\(text.error)")
            let json = try Tool.run(arguments + ["--json"]).output
            #expect(json.contains(#""line":1,"column":66,"rule":"excluded-page""#))
            #expect(json.contains(#""rule":"domain""#))
            #expect(json.contains(#""associations":1"#))
        }
    }
}
