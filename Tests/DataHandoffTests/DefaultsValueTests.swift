import DataHandoff
import Foundation
import Testing

/// The format of user defaults in a package.
struct DefaultsValueTests {
    static let everything: DefaultsValue = .array([
        .boolean(false), .boolean(true), .integer(0), .integer(-1), .integer(.min), .integer(.max), .real(-0.0),
        .real(.infinity), .real(.pi), .string(""), .string("boards"), .string("Brücke \u{0} 🌉"),
        .string(String(repeating: "é", count: 300)), .date(Date(timeIntervalSinceReferenceDate: 0.125)),
        .data(Data()), .data(Data(count: 15)), .data(Data.incompressible(70_000)), .array([]), .dictionary([]),
        .array(Array(repeating: .integer(7), count: 20)),
        .dictionary([.init("", .boolean(true)), .init("a", .array([.array([])])), .init("b", .string("c"))]),
    ])

    private func foundation(_ data: Data) throws -> Any {
        try PropertyListSerialization.propertyList(from: data, format: nil)
    }

    @Test("every value reads back the same")
    func roundTrip() throws {
        let binary = Self.everything.binary
        #expect(try DefaultsValue(binary: binary) == Self.everything)
        #expect(try DefaultsValue(binary: binary).binary == binary)
        let notANumber = DefaultsValue.real(.nan).binary
        #expect(try DefaultsValue(binary: notANumber).binary == notANumber)
    }

    @Test("Foundation reads every value the same")
    func foundationReads() throws {
        let values = try #require(try foundation(Self.everything.binary) as? [Any])
        #expect(values.count == 21)
        #expect(values[1] as? Bool == true)
        #expect(values[4] as? Int == .min)
        #expect(values[8] as? Double == .pi)
        #expect(values[11] as? String == "Brücke \u{0} 🌉")
        #expect(values[12] as? String == String(repeating: "é", count: 300))
        #expect(values[13] as? Date == Date(timeIntervalSinceReferenceDate: 0.125))
        #expect(values[16] as? Data == Data.incompressible(70_000))
        #expect((values[20] as? [String: Any])?["b"] as? String == "c")
    }

    @Test("what Foundation writes is read, also if an object is used twice")
    func foundationWrites() throws {
        let long = String(repeating: "é", count: 300)
        let value: [String: Any] = [
            "text": "boards", "same": "boards", "long": long, "data": Data(count: 700), "yes": true, "number": 40_000,
            "real": 0.5, "date": Date(timeIntervalSinceReferenceDate: 5), "list": [1, 1, 1, -1, Int.max],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        let read = try #require(DefaultsValue(binary: data).members)
        #expect(read.map(\.key) == value.keys.sorted())
        let expected: [String: DefaultsValue] = [
            "text": .string("boards"), "same": .string("boards"), "long": .string(long),
            "data": .data(Data(count: 700)),
            "yes": .boolean(true), "number": .integer(40_000), "real": .real(0.5),
            "date": .date(Date(timeIntervalSinceReferenceDate: 5)),
            "list": .array([.integer(1), .integer(1), .integer(1), .integer(-1), .integer(.max)]),
        ]
        for member in read { #expect(member.value == expected[member.key], "\(member.key)") }
    }

    @Test("a dictionary has each key once, and keys of other characters are other keys")
    func keys() throws {
        #expect(DefaultsValue([.init("a", .integer(1)), .init("a", .integer(2))]) == nil)
        let composed = try #require(DefaultsValue([.init("\u{E9}", .integer(1)), .init("e\u{301}", .integer(2))]))
        #expect(try DefaultsValue(binary: composed.binary).members?.count == 2)
        let twice = DefaultsValue.dictionary([.init("a", .integer(1)), .init("a", .integer(2))])
        #expect(throws: HandoffError.invalidDefaults) { try DefaultsValue(binary: twice.binary) }
    }

    @Test("lists may be nested 64 deep, and no deeper")
    func depth() throws {
        func nested(_ depth: Int) -> DefaultsValue { (1..<depth).reduce(.array([])) { list, _ in .array([list]) } }
        _ = try DefaultsValue(binary: nested(64).binary)
        #expect(throws: HandoffError.invalidDefaults) { try DefaultsValue(binary: nested(65).binary) }
    }

    @Test("a list may have exactly the largest size")
    func size() throws {
        let list = DefaultsValue.dictionary([.init("a", .data(Data(count: 1_000)))]).binary
        _ = try DefaultsValue(binary: list, maximumSize: list.count)
        #expect(throws: HandoffError.defaultsTooLarge) {
            try DefaultsValue(binary: list, maximumSize: list.count - 1)
        }
    }

    // MARK: From a stranger

    /// A list of these objects, with references and offsets of one byte.
    private static func list(_ objects: [[UInt8]], top: UInt8 = 0, count: UInt8? = nil, table: UInt8? = nil) -> Data {
        var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let place = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [count ?? UInt8(objects.count), top, table ?? place] {
            bytes += [0, 0, 0, 0, 0, 0, 0, number]
        }
        return Data(bytes)
    }

    /// A short list: each of 40 arrays has twice the one after it.
    static let bomb = list((1...40).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]])

    @Test("a small list of objects in their shortest form is read")
    func shortForms() throws {
        #expect(
            try DefaultsValue(binary: Self.list([[0xA2, 1, 1], [0x10, 200]])) == .array([.integer(200), .integer(200)])
        )
        #expect(try DefaultsValue(binary: Self.list([[0x11, 1, 0]])) == .integer(256))
        #expect(try DefaultsValue(binary: Self.list([[0x22, 0x3F, 0x80, 0, 0]])) == .real(1))
        #expect(try DefaultsValue(binary: Self.list([[0x5F, 0x10, 2, 0x61, 0x62]])) == .string("ab"))
    }

    @Test("a list that leads to itself, or in many ways to the same place, is an error at once")
    func circles() {
        #expect(throws: HandoffError.invalidDefaults) { try DefaultsValue(binary: Self.list([[0xA1, 0]])) }
        #expect(throws: HandoffError.invalidDefaults) {
            try DefaultsValue(binary: Self.list([[0xD1, 1, 0], [0x51, 0x61]]))
        }
        #expect(throws: HandoffError.defaultsTooLarge) { try DefaultsValue(binary: Self.bomb, maximumSize: 1 << 20) }
    }

    @Test(
        "an object that no property list has, or that ends outside of the objects, is an error",
        arguments: [
            [0x00], [0x0F], [0x80, 1], [0xC1, 0], [0x14] + [UInt8](repeating: 0, count: 16), [0x20, 1],
            [0x33, 0x7F, 0xF8],
            [0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], [0x51, 0x80], [0x61, 0xD8, 0x00], [0x45, 1], [0x4F], [0x4F, 0x13],
            [0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8), [0x6F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7),
            [0xDF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7), [0xA1], [0xA1, 9], [0xD1, 0, 0], [0x70], [0xF0],
        ] as [[UInt8]]
    )
    func objects(_ object: [UInt8]) {
        #expect(throws: HandoffError.invalidDefaults) { try DefaultsValue(binary: Self.list([object])) }
    }

    @Test("a list whose trailer leads elsewhere is an error")
    func trailers() {
        for data in [
            Data(), Data("bplist00".utf8), Self.list([]), Self.list([[9]], top: 1), Self.list([[9]], count: 2),
            Self.list([[9]], table: 7),
            Self.list([[9]], table: 255), Data(Self.list([[9]]).dropLast()),
            Data("bplist01".utf8) + Self.list([[9]]).dropFirst(8),
            Data("<?xml version=\"1.0\"?><plist version=\"1.0\"><true/></plist>".utf8),
        ] {
            #expect(throws: HandoffError.invalidDefaults) { try DefaultsValue(binary: data) }
        }
        for place in 1...32 {
            var data = Self.list([[9]])
            data[data.count - place] = 0xFF
            // Unused bytes don't matter.
            if let read = try? DefaultsValue(binary: data) { #expect(read == .boolean(true)) }
        }
    }

    @Test("a list with any changed byte is read or refused, and its reading ends")
    func changedBytes() {
        let binary = DefaultsValue.dictionary([
            .init("a", .array([.integer(1), .string("é"), .date(Date(timeIntervalSinceReferenceDate: 1))])),
            .init("b", .dictionary([.init("c", .data(Data(count: 20)))])),
        ]).binary
        for place in binary.indices {
            for byte in [0, 1, 0x0F, 0x7F, 0x80, 0xA1, 0xD1, 0xFF] as [UInt8] {
                var data = binary
                data[place] = byte
                if let read = try? DefaultsValue(binary: data, maximumSize: 1 << 20) {
                    #expect((try? DefaultsValue(binary: read.binary))?.binary == read.binary)
                }
            }
        }
    }
}
