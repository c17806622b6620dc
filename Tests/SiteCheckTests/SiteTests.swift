import Foundation
import ReferralBridge
import ReferralSiteCheck
import TestSupport
import Testing

/// The rules for a site as a whole and its app: a good site, and the mistakes that somebody could make in its files.
struct SiteTests {
    struct Mistake: CustomTestStringConvertible {
        /// The findings, such as `association-app .well-known/apple-app-site-association 4:19`, and notes such as
        /// `note other-host App.entitlements 9:5`.
        let findings: [String]
        /// The file, its text in the good site, and the text with the mistake.
        let file: String
        let right: String
        let wrong: String

        /// A mistake with one finding in the same file.
        init(_ rule: String, _ place: String, _ file: String, _ right: String, _ wrong: String, in other: String? = nil)
        {
            self.init(["\(rule) \(other ?? file) \(place)"], file, right, wrong)
        }

        init(_ findings: [String], _ file: String, _ right: String, _ wrong: String) {
            self.findings = findings
            self.file = file
            self.right = right
            self.wrong = wrong
        }

        var testDescription: String { "\(findings): \(wrong)" }
    }

    /// Changes of the good site that look like a mistake to a rule, and aren't one.
    private static let resembling: [(rule: Substring, file: String, right: String, wrong: String)] = [
        ("association-json", association, "{\n  \"applinks", "\u{FEFF}\n{\n  \"applinks"),
        (
            "association-form", association, #""exclude": true"#,
            #""exclude": true, "comment": ["ours"], "caseSensitive": false"#
        ),
        ("association-form", association, #""?": {"ref": "?*"}"#, ##""?": "ref=?*", "#": "*""##),
        (
            "association-app", association, #"["ABCDE12345.com.example.app"]"#,
            #"["ABCDE12345.com.example.other", "ABCDE12345.com.example.app"]"#
        ),
        ("association-clip", association, #"app.Clip"]"#, #"app.Clip", "ABCDE12345.com.example.other.Clip"]"#),
        ("unmatched-page", association, #""/get","#, #""/get/*","#),
        ("excluded-page", association, "/get/private/*", "/get/?*"),
        ("missing-item", association, #"/get/private/*""#, #"*", "?": {"no_universal_links": "?*"}"#),
        (
            "hidden-component", association, #"{"/": "/boards/*"}"#,
            #"{"/": "/boards/*"}, {"/": "/boards/42"}, {"/": "/get/", "?": {"ref": "?*"}}"#
        ),
        (
            "ignored-paths", association, #""],"#,
            #""], "paths": ["/get", "/boards/*", "NOT /get/private/*", "NOT /admin"],"#
        ),
        ("domain", "App.entitlements", "appclips:example.com", "webcredentials:example.com?mode=developer+managed"),
        ("domain", "App.entitlements", "appclips:example.com", "futureservice:example.com"),
        (
            "system-scheme", "Info.plist", "<string>trestle</string>",
            "<string>trestle</string><string>mailtrestle</string>"
        ),
        ("unregistered-scheme", "news.html", "trestle://open?from=news", "TRESTLE:open"),
        // SwiftUI's manifest, as Xcode generates it; and scenes that the app delegate configures in code.
        ("scenes", "Info.plist", urlTypes, sceneManifest("") + urlTypes),
        ("scenes", "Info.plist", urlTypes, mainStoryboard + sceneManifest(scene(storyboard + delegate)) + urlTypes),
        ("scenes", "Info.plist", urlTypes, sceneManifest(scene(delegate)) + urlTypes),
        ("other-host", "App.entitlements", "appclips:example.com", "applinks:go.example.com"),
        ("banner-argument", "get/index.html", "get?ref=banner", "get/?ref=banner&x=1"),
    ]

    private static let urlTypes = "<key>CFBundleURLTypes</key>"
    private static let mainStoryboard = "<key>UIMainStoryboardFile</key><string>Main</string>"
    private static let storyboard = "<key>UISceneStoryboardFile</key><string>Main</string>"
    private static let delegate =
        "<key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>"

    private static func scene(_ keys: String) -> String {
        "<key>UIWindowSceneSessionRoleApplication</key><array><dict>\(keys)</dict></array>"
    }

    private static func sceneManifest(_ scenes: String) -> String {
        "<key>UIApplicationSceneManifest</key><dict><key>UIApplicationSupportsMultipleScenes</key><false/>\n"
            + "<key>UISceneConfigurations</key><dict>\(scenes)</dict></dict>"
    }

    static let association = ".well-known/apple-app-site-association"
    static let files = [
        "get/index.html": """
        <!doctype html>
        <meta name="apple-itunes-app" content="app-id=42, app-clip-bundle-id=com.example.app.Clip, app-argument=https://example.com/get?ref=banner">
        <script src="/referral-bridge.js" defer></script>
        <a href="https://apps.apple.com/app/id42" data-referrer-from="ref">Get it</a>
        """,
        "news.html": #"""
        <meta name="apple-itunes-app" content="app-id=42, app-argument=trestle://open?from=news">
        """#,
        association: """
        {
          "applinks": {
            "details": [
              {"appIDs": ["ABCDE12345.com.example.app"],
               "components": [
                 {"/": "/get/private/*", "exclude": true},
                 {"/": "/get", "?": {"ref": "?*"}},
                 {"/": "/boards/*"}
               ]}
            ]
          },
          "appclips": {"apps": ["ABCDE12345.com.example.app.Clip"]}
        }
        """,
        "App.entitlements": """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>application-identifier</key>
          <string>ABCDE12345.com.example.app</string>
          <key>com.apple.developer.associated-domains</key>
          <array>
            <string>applinks:example.com</string>
            <string>applinks:www.example.com?mode=developer</string>
            <string>appclips:example.com</string>
          </array>
        </dict>
        </plist>
        """,
        "Info.plist": """
        <plist version="1.0"><dict>
          <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
          <key>CFBundleURLTypes</key>
          <array><dict><key>CFBundleURLSchemes</key><array>
            <string>trestle</string>
          </array></dict></array>
        </dict></plist>
        """,
    ]

    private static let mistakes = [
        Mistake(["no-association App.entitlements 9:5"], association, "", ""),
        Mistake("association-json", "3:14", association, #""applinks": {"#, #""applinks": ["#),
        Mistake("association-json", "13:2", association, "\n}", "\n}}"),
        Mistake("association-form", "6:45", association, #""exclude": true"#, #""exclude": "true""#),
        Mistake("association-form", "6:11", association, #"{"/": "/get/private/*""#, #"{"path": "/get/private/*""#),
        Mistake("association-form", "8:10", association, #"{"/": "/boards/*"}"#, #""/boards/*""#),
        Mistake("association-form", "8:11", association, #"{"/": "/boards/*"}"#, #"{"name": "boards"}"#),
        Mistake("association-form", "8:16", association, #"{"/": "/boards/*"}"#, #"{"?": 1}"#),
        Mistake(
            "association-form",
            "4:18",
            association,
            #"["ABCDE12345.com.example.app"]"#,
            #""ABCDE12345.com.example.app""#
        ),
        Mistake("association-form", "4:8", association, #""appIDs""#, #""appIds""#),
        Mistake("note association-form", "8:29", association, #""/boards/*""#, #""/boards/*", "_comment": "x""#),
        Mistake("placeholder", "4:19", association, "ABCDE12345.com.example.app\"]", "TEAMID.com.example.app\"]"),
        Mistake("placeholder", "4:19", association, "ABCDE12345.com.example.app\"]", "com.example.app\"]"),
        Mistake("placeholder", "4:19", association, "ABCDE12345.com.example.app\"]", "<team>.com.example.app\"]"),
        Mistake("placeholder", "4:19", association, "ABCDE12345.com.example.app\"]", "XXXXXXXXXX.com.example.app\"]"),
        Mistake("placeholder", "4:19", association, "ABCDE12345.com.example.app\"]", "ABCDE12345.YOUR_BUNDLE_ID\"]"),
        Mistake(
            "missing-item",
            "6:10",
            association,
            #"{"/": "/get/private/*""#,
            #"{"/": "/*", "?": {"no_universal_links": "*"}"#
        ),
        Mistake("ignored-paths", "4:60", association, #""],"#, #""], "paths": ["NOT /boards/*", "/get"],"#),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "appliinks:example.com"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "applinks:münchen.de"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "applinks:example.com?mode=dev"),
        Mistake(
            "note other-host",
            "9:5",
            "App.entitlements",
            "applinks:www.example.com",
            "webcredentials:www.example.com"
        ),
        Mistake(
            "system-scheme",
            "5:29",
            "Info.plist",
            "<string>trestle</string>",
            "<string>trestle</string><string>1password</string>"
        ),
        Mistake(
            "note system-scheme",
            "5:29",
            "Info.plist",
            "<string>trestle</string>",
            "<string>trestle</string><string>mailto</string>"
        ),
        Mistake("note banner-argument", "2:31", "get/index.html", "get?ref=banner", "got?ref=banner"),
        Mistake(
            "association-app",
            "4:19",
            association,
            "ABCDE12345.com.example.app\"]",
            "ABCDE54321.com.example.app\"]"
        ),
        Mistake("association-app", "4:19", association, ".app\"],", ".application\"],"),
        Mistake(
            ["association-app \(association) 4:19", "association-clip \(association) 12:15"],
            "App.entitlements",
            "ABCDE12345",
            "XYZDE12345"
        ),
        Mistake("association-clip", "12:15", association, "app.Clip", "app.clip"),
        Mistake("association-form", "12:3", association, "appclips", "appclip"),
        Mistake("association-clip", "1:1", association, "appclips", "others"),
        Mistake("association-clip", "12:15", "get/index.html", "app.Clip", "app.Lite", in: association),
        Mistake("unmatched-page", "4:43", association, #""/get","#, #""/got","#, in: "get/index.html"),
        Mistake("unmatched-page", "4:43", association, #"{"ref":"#, #"{"from":"#, in: "get/index.html"),
        Mistake("unmatched-page", "4:43", "get/index.html", #"from="ref""#, #"from="by""#, in: "get/index.html"),
        Mistake(
            ["excluded-page \(association) 6:10", "hidden-component \(association) 7:10"],
            association,
            "/get/private/*",
            "/get*"
        ),
        Mistake("hidden-component", "8:10", association, "/boards/*", "get/private/x/"),
        Mistake(
            "hidden-component",
            "8:10",
            association,
            #""/boards/*""#,
            #""/get/", "?": {"ref": "a?*", "x": "y"}, "exclude": true"#
        ),
        Mistake("ignored-paths", "4:60", association, #""],"#, #""], "paths": ["*"],"#),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "applinks:https://example.com"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "https://example.com"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "example.com"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "applinks:example.com/get"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "applinks:example.com:443"),
        Mistake("domain", "9:5", "App.entitlements", "applinks:example.com", "applinks:"),
        Mistake("domain", "11:5", "App.entitlements", "appclips:example.com", "Appclips:example.com"),
        Mistake(
            "system-scheme",
            "5:29",
            "Info.plist",
            "<string>trestle</string>",
            "<string>trestle</string><string>Tel</string>"
        ),
        Mistake("unregistered-scheme", "1:31", "Info.plist", "trestle", "trestle-lite", in: "news.html"),
        Mistake("unregistered-scheme", "1:31", "news.html", "trestle:", "trestel:"),
        Mistake(
            ["system-scheme Info.plist 5:5", "unregistered-scheme news.html 1:31"],
            "Info.plist",
            "trestle",
            "trestle://"
        ),
        Mistake("scenes", "3:55", "Info.plist", urlTypes, mainStoryboard + sceneManifest("") + urlTypes),
        Mistake("scenes", "4:39", "Info.plist", urlTypes, sceneManifest(scene(storyboard)) + urlTypes),
        Mistake(
            "scenes",
            "4:39",
            "Info.plist",
            urlTypes,
            mainStoryboard
                + sceneManifest(scene("<key>UISceneDelegateClassName</key><string></string>")) + urlTypes
        ),
        Mistake("note scenes", "3:3", "Info.plist", urlTypes, mainStoryboard + urlTypes),
        Mistake(["banner get/index.html 2:31"], "get/index.html", "app-id=42", "app-id=43"),
    ]

    /// The rules that must speak, also in tests below, in `FilesTests` and in `ProductPageTests`.
    static var speaking: [String] {
        var rules = [
            "association-name", "association-size", "association-place", "no-page", "product-page", "outside-link",
        ]
        for finding in mistakes.flatMap(\.findings) {
            let words = finding.split(separator: " ")
            rules.append(String(words[0] == "note" ? words[1] : words[0]))
        }
        return rules
    }

    /// The rules that must be silent, also in tests below and in `ProductPageTests`.
    static var silent: [String] {
        resembling.map { String($0.rule) } + [
            "no-association", "association-name", "association-size", "association-place", "product-page",
            "outside-link",
        ]
    }

    private func checked(_ changes: (inout [String: String]) -> Void) throws -> CheckedFolder {
        var files = Self.files
        changes(&files)
        return try CheckedFolder(files, appID: nil)
    }

    @Test("the good site is silent")
    func good() throws {
        let checked = try checked { _ in }
        #expect(checked.findings == [])
        #expect(checked.noted.allSatisfy { $0.hasPrefix("banner-beside") }, "\(checked.noted)")
        #expect(checked.failures.isEmpty)
        #expect(checked.counts[.associations] == 1)
        #expect(checked.summary.hasSuffix("2 banners, 1 association file"))
    }

    @Test("each mistake is named with its rule, its file and its place", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        let checked = try checked { files in
            guard !mistake.right.isEmpty else {
                files[mistake.file] = nil
                return
            }
            #expect(files[mistake.file]?.components(separatedBy: mistake.right).count == 2)
            files[mistake.file] = files[mistake.file]?.replacing(mistake.right, with: mistake.wrong)
        }
        // Notes may follow from a mistake. A banner is beside the links, and isn't a mistake here.
        let notes = checked.filedNotes.filter { !$0.hasPrefix("banner-beside") }.map { "note " + $0 }
        let hasNote = mistake.findings.contains { $0.hasPrefix("note ") }
        #expect(checked.filed + (hasNote ? notes : []) == mistake.findings, "\(checked.findings)")
    }

    @Test("what resembles a mistake is silent", arguments: resembling.indices)
    func fine(_ index: Int) throws {
        let (_, file, right, wrong) = Self.resembling[index]
        let checked = try checked { files in
            #expect(files[file]?.components(separatedBy: right).count == 2)
            files[file] = files[file]?.replacing(right, with: wrong)
        }
        #expect(checked.filed == [], "\(wrong)")
        #expect(checked.filedNotes.filter { !$0.hasPrefix("banner-beside") } == [], "\(wrong)")
    }

    @Test("a scheme of the system's is fine with its entitlement")
    func defaultApp() throws {
        let checked = try checked { files in
            files["Info.plist"] = files["Info.plist"]?.replacing(
                "<string>trestle",
                with: "<string>https</string><string>HTTP</string><string>trestle"
            )
            files["App.entitlements"] = files["App.entitlements"]?
                .replacing("<dict>", with: "<dict><key>com.apple.developer.web-browser</key><true/>")
        }
        #expect(checked.filed == [])
        #expect(!checked.noted.contains { $0.hasPrefix("system-scheme") })
    }

    @Test(
        "a file that is something else is named by what it is",
        arguments: [
            ("30 82 06 1A 06 09", "signed"), ("2D 2D 2D 2D 2D 42 45 47 49 4E 20 50 4B 43 53 37", "signed"),
            ("FF FE 7B 00", "UTF-16"), ("7B 00 0A 00", "UTF-16"), ("0A 5B 7B 7D 5D", "array"),
            ("0A 3C 21 64 6F 63 74 79 70 65", "web page"), ("3C 3F 78 6D 6C 20", "XML"),
            ("62 70 6C 69 73 74", "property list"),
            ("1F 8B 08", "compressed"), ("20 0A", "empty"), ("7B 22 E9 22 3A 31 7D", "not UTF-8"),
            ("7B 7D 7D", "not JSON"),
        ]
    )
    func kinds(_ bytes: String, _ kind: String) throws {
        var files = Self.files.mapValues { Data($0.utf8) }
        files[Self.association] = Data(bytes.split(separator: " ").compactMap { UInt8($0, radix: 16) })
        let checked = try CheckedFolder(files)
        #expect(checked.failures.isEmpty)
        #expect(checked.findings.map(\.rule) == ["association-json"])
        #expect(checked.findings.first?.message.text.contains(kind) == true, "\(checked.findings)")
    }

    @Test("a file in public or static counts as the site's, with the pages beside it", arguments: ["public", "static"])
    func source(_ folder: String) throws {
        let checked = try checked { files in
            for name in [Self.association, "get/index.html", "news.html"] {
                files["\(folder)/\(name)"] = files.removeValue(forKey: name)
            }
            files["\(folder)/referral-bridge.js"] = CopySnippet().source
        }
        #expect(checked.filed == [])
        #expect(checked.filedNotes.contains("association-place \(folder)/\(Self.association) 1:1"))
        let note = checked.notes.first { $0.rule == "association-place" }?.message.text ?? ""
        #expect(
            note.hasSuffix("it is for 'ABCDE12345.com.example.app, ABCDE12345.com.example.app.Clip', with 3 components")
        )
        let wrong = try self.checked { files in
            files["\(folder)/\(Self.association)"] = files.removeValue(forKey: Self.association)?.replacing(
                "{\"/\": \"/boards",
                with: "[{\"/\": \"/boards"
            )
        }
        #expect(wrong.filed == ["association-json \(folder)/\(Self.association) 9:9"])
    }

    // MARK: The file itself

    @Test("a clip on a page needs a file, and pages without one don't")
    func needed() throws {
        let clip = try checked { files in
            for name in [Self.association, "App.entitlements"] { files[name] = nil }
        }
        #expect(clip.filed == ["no-association get/index.html 2:31"])
        let none = try checked { files in
            for name in [Self.association, "App.entitlements", "get/index.html"] { files[name] = nil }
        }
        #expect(none.filed == [])
    }

    @Test("the file beside the pages counts too, and one with an extension doesn't")
    func name() throws {
        let beside = try checked { $0["apple-app-site-association"] = $0.removeValue(forKey: Self.association) }
        #expect(beside.filed == [])
        let named = try checked { $0[Self.association + ".json"] = $0.removeValue(forKey: Self.association) }
        #expect(named.filed == ["association-name .well-known/apple-app-site-association.json 1:1"])
        let both = try checked { $0[Self.association + ".json"] = $0[Self.association] }
        #expect(both.filed == [])
    }

    @Test("a file may have 131,072 bytes")
    func size() throws {
        for (size, findings) in [(131_072, []), (131_073, ["association-size \(Self.association) 1:1"])] {
            let checked = try checked { files in
                let file = files[Self.association] ?? ""
                files[Self.association] = file + String(repeating: " ", count: size - file.utf8.count)
            }
            #expect(checked.filed == findings)
        }
    }

    @Test("a list that isn't one is a failure")
    func failures() throws {
        var files = Self.files.mapValues { Data($0.utf8) }
        files["Info.plist"] = Data("<plist>\n<x/></plist>".utf8)
        let problem = "this is not a property list; 'plutil -lint' says where it is wrong"
        #expect(try CheckedFolder(files).failures.map(\.problem.text) == [problem])
        files["Info.plist"] = Data([0xFF, 0xFE, 0x3C, 0])
        #expect(try CheckedFolder(files).failures.map(\.problem.text) == ["the file is in UTF-16; save it as UTF-8"])
    }

    // MARK: Apps

    @Test(
        "an app is compared by the parts that are known",
        arguments: [
            ("ABCDE12345.com.example.app", true), ("$(AppIdentifierPrefix)com.example.app", true),
            ("$(AppIdentifierPrefix)$(CFBundleIdentifier)", true), ("", true),
            ("XXXXX12345.$(CFBundleIdentifier)", false),
            ("$(AppIdentifierPrefix)com.example.other", false),
        ]
    )
    func identity(_ text: String, _ isRight: Bool) throws {
        let checked = try checked { files in
            files["App.entitlements"] = files["App.entitlements"]?.replacing("ABCDE12345.com.example.app", with: text)
        }
        #expect(checked.filed.isEmpty == isRight, "\(checked.filed)")
    }

    @Test("the bundle of the Info.plist counts")
    func bundle() throws {
        let checked = try checked { files in
            files["App.entitlements"] = nil
            files["Info.plist"] = files["Info.plist"]?.replacing(
                "$(PRODUCT_BUNDLE_IDENTIFIER)",
                with: "com.example.two"
            )
        }
        #expect(checked.filed == ["association-app \(Self.association) 4:19"])
    }

    @Test("the entitlements of an App Clip are compared with appclips")
    func clipEntitlements() throws {
        for (id, findings) in [("app.Clip", []), ("app.Lite", ["association-app \(Self.association) 12:25"])] {
            let checked = try checked { files in
                files["App.entitlements"] = files["App.entitlements"]?
                    .replacing("12345.com.example.app", with: "12345.com.example.\(id)")
                    .replacing(
                        "<dict>",
                        with: "<dict><key>com.apple.developer.parent-application-identifiers</key><array/>"
                    )
            }
            #expect(checked.filed == findings)
        }
    }

    // MARK: Components

    private static let app = "ABCDE12345.com.example.app"

    private func hidden(_ components: String, variables: String = "{}") throws -> [String] {
        // One with the same effect is silent, so the second one excludes.
        let components = components.replacing("\n{", with: "\n{\"exclude\":true,").replacing(",}", with: "}")
        let entry = "{\"appIDs\":[\"\(Self.app)\"],\"components\":[\n\(components)]}"
        let text = #"{"applinks":{"substitutionVariables":\#(variables),"details":[\#(entry)]}}"#
        return try CheckedFolder(["page.html": "<p>", Self.association: text]).broken
    }

    @Test(
        "a component is hidden if an earlier one matches all of its addresses",
        arguments: [
            (#"{"/":"*"},\#n{"/":"/get"}"#, true), ("{},\n{}", true), (#"{"/":"/a"},\#n{"/":"/b"}"#, false),
            (#"{"/":"/a/*"},\#n{"/":"/a"}"#, true), (#"{"/":"/a"},\#n{"/":"/a/*"}"#, false),
            (#"{"/":"/a/?"},\#n{"/":"/a/*"}"#, false), (#"{"/":"/a/?*"},\#n{"/":"/a/$(digit)?"}"#, true),
            (#"{"/":"/$(v)"},\#n{"/":"/one"}"#, true), (#"{"/":"/$(v)"},\#n{"/":"/two"}"#, false),
            (#"{"/":"/$(v)/*"},\#n{"/":"/$(v)/x*"}"#, true), (#"{"/":"/?"},\#n{"/":"/$(v)"}"#, false),
            (#"{"/":"/a","?":"*"},\#n{"/":"/a"}"#, true), (#"{"/":"/a","?":"x"},\#n{"/":"/a"}"#, false),
            (#"{"/":"/a","?":{"r":"?*"}},\#n{"/":"/a"}"#, false), (#"{"/":"/a"},\#n{"/":"/a","?":{"r":"?*"}}"#, true),
            (#"{"?":{"r":"*"}},\#n{"/":"/a"}"#, true), (##"{"#":"x"},\##n{"#":"*"}"##, false),
            (#"{"/":"/A","caseSensitive":false},\#n{"/":"/a"}"#, false),
            (#"{"caseSensitive":false},\#n{"/":"/a"}"#, true),
            (#"{"/":"/a%20b"},\#n{"/":"/a%20b","percentEncoded":false}"#, false),
        ]
    )
    func hiding(_ components: String, _ isHidden: Bool) throws {
        let found = try hidden(components, variables: #"{"v":["one"]}"#)
        #expect(found.map { $0.prefix { $0 != ":" } } == (isHidden ? ["hidden-component 3"] : []))
    }

    @Test("a component is hidden only by one that is for all of its apps")
    func apps() throws {
        let other = "ABCDE12345.com.example.other"
        for (apps, findings) in [("\"\(Self.app)\",\"\(other)\"", ["hidden-component 2:63"]), ("\"\(other)\"", [])] {
            let entries =
                #"{"appIDs":[\#(apps)],"components":[{}]},\#n{"appIDs":["\#(Self.app)"],"components":[       {"/":"/a","exclude":true}]}"#
            let text = #"{"applinks":{"details":[\#(entries)]}}"#
            #expect(try CheckedFolder(["page.html": "<p>", Self.association: text]).broken == findings)
        }
    }

    @Test("a component that is hidden by one with the same effect is silent")
    func sameEffect() throws {
        let paths = #"{"applinks":{"details":[{"appID":"\#(Self.app)","paths":["/get","/get/","*","/"]}]}}"#
        #expect(try CheckedFolder(["page.html": "<p>", Self.association: paths]).broken == [])
        let entry = #"{"appIDs":["\#(Self.app)"],"components":[{"/":"/*"},{"/":"*"},{"/":"/a"}]}"#
        let components = #"{"applinks":{"details":[\#(entry)]}}"#
        #expect(try CheckedFolder(["page.html": "<p>", Self.association: components]).broken == [])
    }

    @Test("a file full of components is compared in time", .endsIfHung)
    func many() throws {
        let components = (0..<3_500).map { #",{"/":"/*a*\#($0)/z"}"# }.joined()
        #expect(try hidden(#"{"/":"/*b/z"},\#n{"/":"/b/z"}"# + components) == ["hidden-component 3:1"])
    }

    // MARK: Notes

    @Test(
        "a twin with www is noted",
        arguments: [
            ("example.com", true), ("www.example.com", true), ("go.example.com", false), ("*.example.com", false),
            ("example.co.uk", true), ("www.example.co.uk", true), ("www.go.example.com", false),
        ]
    )
    func twins(_ host: String, _ isNoted: Bool) throws {
        let checked = try checked { files in
            files["App.entitlements"] = files["App.entitlements"]?
                .replacing("applinks:example.com", with: "applinks:\(host)")
                .replacing("applinks:www.example.com?mode=developer", with: "webcredentials:example.com")
        }
        #expect(checked.noted.contains("other-host 9:5") == isNoted)
        #expect(checked.filed == [])
    }

    @Test(
        "an app argument that no landing page reads is noted",
        arguments: [
            ("https://example.com/get?ref=banner", false), ("https://example.com/get/?x=1&ref=a", false),
            ("https://example.com/get?ref=", true), ("https://example.com/get", true),
            ("https://example.com/?ref=a", true),
            ("trestle://x", false),
        ]
    )
    func argument(_ argument: String, _ isNoted: Bool) throws {
        let checked = try checked { files in
            files["get/index.html"] = files["get/index.html"]?.replacing(
                "https://example.com/get?ref=banner",
                with: argument
            )
        }
        #expect(checked.noted.contains("banner-argument 2:31") == isNoted)
        #expect(checked.filed == [])
    }
}
