import Foundation
import ReferralSiteCheck
import TestSupport
import Testing

/// Property lists of both forms, and hostile ones.
struct PropertyListTests {
    private static var example: [String: Any] {
        [
            "CFBundleIdentifier": "com.example.app", "empty": "", "umlaut": "ä😀 & <b>", "yes": true, "number": 300,
            "date": Date(timeIntervalSince1970: 0), "data": Data([1, 2, 3]), "real": 1.5,
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["trestle", String(repeating: "x", count: 300)]], [:]],
        ]
    }

    @Test("both forms have the same values", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func forms(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.example, format: format, options: 0)
        let list = try PropertyList(Array(data))
        #expect(list["CFBundleIdentifier"]?.string == "com.example.app")
        #expect(list["umlaut"]?.string == "ä😀 & <b>")
        #expect(list["yes"]?.bool == true)
        let schemes = list["CFBundleURLTypes"]?.array?.first?["CFBundleURLSchemes"]?.array?.map(\.string)
        #expect(schemes == ["trestle", String(repeating: "x", count: 300)])
    }

    private func failure(_ bytes: [UInt8]) -> String? {
        do { _ = try PropertyList(bytes) } catch { return error.message.text }
        return nil
    }

    private static func xml(_ body: String) -> [UInt8] { Array("<plist version=\"1.0\">\(body)</plist>".utf8) }

    @Test(
        "what isn't a property list is refused, also what Foundation reads as a list of the old form",
        arguments: [
            "", " \n", "{ a = b; }", "bplist00", "word", "{ a = \"<plist><dict/></plist>\"; }", "<plist></plist>",
            "<plist><array></dict></plist>", "<plist><true/>", "bplist00" + String(repeating: "\0", count: 40),
        ]
    )
    func refused(_ text: String) {
        #expect(failure(Array(text.utf8))?.hasPrefix("this is not a property list") == true)
    }

    @Test("a list may be nested 64 levels deep", arguments: [(64, true), (65, false), (15_000, false)])
    func depth(_ depth: Int, _ isRead: Bool) {
        for name in ["array", "dict><key>a</key"] {
            let end = name.prefix { $0 != ">" }
            let inner = end == "dict" ? "<true/>" : ""
            let open = String(repeating: "<\(name)>", count: depth)
            let close = String(repeating: "</\(end)>", count: depth)
            let problem = failure(Self.xml(open + inner + close))
            #expect(isRead ? problem == nil : problem?.contains("64 levels") == true)
        }
    }

    /// A binary list in which each object is an array of references.
    private func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += [0xA0 | UInt8(object.count)] + object
        }
        let table = UInt8(bytes.count)
        let numbers = [UInt8(objects.count), 0, table].flatMap { Array(repeating: 0 as UInt8, count: 7) + [$0] }
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + numbers
    }

    @Test("a binary list that contains itself, or a part again and again, is refused in time", .endsIfHung)
    func hostile() {
        #expect(failure(binary([[]])) == nil)
        for objects in [[[0]], [[1], [0]], [[9]], (1...20).map { Array(repeating: $0, count: 10) } + [[]]]
            as [[[UInt8]]]
        {
            #expect(failure(binary(objects)) != nil)
        }
    }

    @Test("the place of a scheme or a domain is that of its element, not of the same text elsewhere")
    func places() throws {
        let list = """
            <plist version="1.0"><dict><!-- <string>tel</string> -->
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLName</key><string>tel</string>
            <key>CFBundleURLSchemes</key><array><!-- x --><string>a</string>
              <string>tel</string></array></dict><dict/><dict><key>CFBundleURLSchemes</key><array><string>tel</string></array></dict>
            </array></dict></plist>
            """
        let checked = try CheckedFolder(["a.html": "<p>", "Info.plist": list])
        #expect(checked.filed == ["system-scheme Info.plist 4:3", "system-scheme Info.plist 4:87"], "\(checked.filed)")
    }
}
