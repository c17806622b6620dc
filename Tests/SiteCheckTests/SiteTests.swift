import Foundation
import ReferralBridge
import ReferralSiteCheck
import TestSupport
import Testing

/// The rules for a site as a whole and its app, where `site.txt` doesn't show them.
struct SiteTests {
    static let association = ".well-known/apple-app-site-association"
    static let files = MistakeTests.siteFiles

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

    // MARK: The file itself

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
}
