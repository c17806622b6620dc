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

    @Test("a bomb of 100 MB costs no more memory than its manifest promises")
    func bomb() throws {
        let small = try package(Data(count: 10)).bytes(codec: .deflate)
        let large = try package(Data(count: 100_000_000)).bytes(codec: .deflate)
        // The manifest of the small one, before the stream of the large one.
        func manifestEnd(_ bytes: Data) -> Int { bytes[6..<10].reduce(0) { $0 << 8 | Int($1) } + 10 }
        let bomb = small.prefix(manifestEnd(small)) + large.dropFirst(manifestEnd(large))
        #expect(bomb.count < 100_000)
        let before = try peakMemory()
        #expect(throws: HandoffError.trailingBytes) { try HandoffPackage(bytes: bomb) }
        #expect(try peakMemory() - before < 1 << 20)
    }

    /// The most memory that this process ever had, in bytes.
    private func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
