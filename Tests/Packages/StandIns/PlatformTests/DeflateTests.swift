import DataHandoff
import Foundation
import Testing

/// Compressed packages, with zlib in the place of Apple's framework.
struct DeflateTests {
    private func package(_ contents: Data) throws -> HandoffPackage {
        try HandoffPackage(
            files: [("a", contents), ("b", Data())],
            schema: 1,
            from: "com.example.a",
            to: "com.example.b"
        )
    }

    @Test("compressed packages read back", arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    func readBack(count: Int) throws {
        for contents in [Data(count: count), Data((0..<count).map { _ in UInt8.random(in: 0...255) })] {
            let package = try package(contents)
            #expect(try HandoffPackage(bytes: package.bytes(codec: .deflate)) == package)
        }
    }

    @Test("a compressed package that is cut anywhere, or has a bit changed, isn't taken")
    func damage() throws {
        let package = try package(Data((0..<300).map { UInt8(truncatingIfNeeded: $0 / 3) }))
        let bytes = try package.bytes(codec: .deflate)
        let stored = try package.bytes().count - 300
        for count in 0..<bytes.count {
            #expect(throws: HandoffError.self) { try HandoffPackage(bytes: bytes.prefix(count)) }
        }
        #expect(throws: HandoffError.trailingBytes) { try HandoffPackage(bytes: bytes + [0]) }
        for place in stored..<bytes.count {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                // A stream may say the same in another way.
                let read = try? HandoffPackage(bytes: changed)
                #expect(read == nil || read == package)
            }
        }
    }
}
