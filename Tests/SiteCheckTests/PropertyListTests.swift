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

    private func list(_ format: PropertyListSerialization.PropertyListFormat) throws -> PropertyList {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.example, format: format, options: 0)
        return try PropertyList(Array(data))
    }

    @Test("both forms have the same values", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func forms(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let list = try list(format)
        #expect(list["CFBundleIdentifier"]?.string == "com.example.app")
        #expect(list["empty"]?.string == "")
        #expect(list["umlaut"]?.string == "ä😀 & <b>")
        #expect(list["number"]?.string == nil)
        let schemes = list["CFBundleURLTypes"]?.array?.first?["CFBundleURLSchemes"]?.array?.map(\.string)
        #expect(schemes == ["trestle", String(repeating: "x", count: 300)])
        #expect(list["CFBundleURLTypes"]?.array?.last?.isDictionary == true)
        #expect(list["none"] == nil)
    }

    private func failure(_ bytes: [UInt8]) -> PropertyList.Failure? {
        do { _ = try PropertyList(bytes) } catch { return error }
        return nil
    }

    private static func xml(_ body: String) -> [UInt8] { Array("<plist version=\"1.0\">\(body)</plist>".utf8) }

    @Test("references, sections and comments in text")
    func text() throws {
        let list = try PropertyList(Self.xml("<string>a&amp;<![CDATA[<b>&amp;]]><!-- c -->&#x64;</string>"))
        #expect(list.string == "a&<b>&amp;d")
        #expect(list.offset == 21)
    }

    @Test(
        "what isn't a property list is refused",
        arguments: [
            "", "{ a = b; }", "<html></html>", "<plist></plist>", "<plist><dict><string>a</string></dict></plist>",
            "<plist><dict><key>a</key></dict></plist>", "<plist><array></dict></plist>", "<plist><string>a</plist>",
            "<plist><foo/></plist>", "<plist><true/></plist><plist>", "<plist><true/>", "<plist><!-- ",
            "<plist><string",
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><true/></plist>", "bplist00",
            "bplist00" + String(repeating: "\0", count: 40),
        ]
    )
    func refused(_ text: String) { #expect(failure(Array(text.utf8)) != nil) }

    @Test("a list may be nested 64 levels deep")
    func depth() {
        for (depth, isRead) in [(64, true), (65, false), (1_000_000, false)] {
            let body = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
            #expect((failure(Self.xml(body)) == nil) == isRead)
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

    @Test("a binary list that contains itself is refused")
    func cycle() {
        #expect(failure(binary([[]])) == nil)
        #expect(failure(binary([[0]])) != nil)
        #expect(failure(binary([[1], [0]])) != nil)
        #expect(failure(binary([[9]])) != nil)
    }

    @Test(
        "a binary list in which each array contains the next one ten times is refused in time",
        .endsIfHung
    )
    func bomb() {
        let arrays = (1...20).map { Array(repeating: UInt8($0), count: 10) }
        #expect(failure(binary(arrays + [[]]))?.message.text.contains("too many") == true)
    }

    @Test("combining marks cost as much as any other text")
    func combiningMarks() throws {
        // Marks of two combining classes in turn. Swift's own hash sorts them all.
        func marks(_ count: Int) -> String { String(repeating: "\u{301}\u{316}", count: count) }
        try expectLinear(64 << 10) { count in
            let text = "<dict><key>\(marks(count))</key><true/><key>a</key><string>b</string></dict>"
            let list = try PropertyList(Self.xml(text))
            #expect(list["a"]?.string == "b")
        }
        try expectLinear(64 << 10) { count in #expect(failure(Self.xml("<\(marks(count))>")) != nil) }
        try expectLinear(64 << 10) { count in
            func bytes(_ number: Int, _ length: Int) -> [UInt8] {
                (0..<length).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) }
            }
            // A dictionary, its key in UTF-16 with the length before it, and its value.
            let key = marks(count).utf16.flatMap { bytes(Int($0), 2) }
            let objects: [UInt8] = [0xD1, 1, 2, 0x09, 0x6F, 0x12] + bytes(2 * count, 4) + key
            let numbers = [3, 0, 8 + objects.count].flatMap { bytes($0, 8) }
            let binary = Array("bplist00".utf8) + objects + [8, 12, 11] + [0, 0, 0, 0, 0, 0, 1, 1] + numbers
            let list = try PropertyList(binary)
            #expect(list.isDictionary)
        }
    }

    @Test("no part of a file, and no file with a changed byte, is a trap")
    func damaged() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: Self.example, format: format, options: 0)
            let bytes = Array(data)
            for count in bytes.indices { #expect(failure(Array(bytes[..<count])) != nil || format == .xml) }
            for index in bytes.indices {
                for byte: UInt8 in [0, 0x7F, 0xFF, bytes[index] ^ 1] {
                    var changed = bytes
                    changed[index] = byte
                    _ = failure(changed)
                }
            }
        }
    }
}
