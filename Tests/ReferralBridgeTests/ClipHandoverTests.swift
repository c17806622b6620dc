import Foundation
import TestSupport
import Testing

@testable import ReferralBridge

/// The file in which an App Clip leaves its address.
struct ClipHandoverTests {
    private struct Contents: Decodable {
        let address: String
    }

    @Test("calls at the same time all leave a whole address")
    func together() async throws {
        let group = FileManager.default.temporaryDirectory.appendingPathComponent("clip-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: group) }
        let handover = ClipHandover(group: group)
        let folder = group.appendingPathComponent("ReferralBridge")
        let problems = await withTaskGroup(of: [String].self) { group in
            for task in 0..<8 {
                group.addTask { (0..<50).compactMap { Self.leave(task + $0 * 400, at: handover) } }
            }
            return await group.reduce([], +)
        }
        #expect(problems == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["clip.json"])
    }

    @Test("a link in the place of the file isn't followed, since it may lead to any file of the app")
    func link() throws {
        let place = TemporaryFolder("clip")
        let (handover, other) = (ClipHandover(group: place.url), place.url.appending(path: "other"))
        try handover.leave(try #require(URL(string: "https://example.com/")))
        try FileManager.default.moveItem(at: handover.file, to: other)
        try FileManager.default.createSymbolicLink(at: handover.file, withDestinationURL: other)
        #expect(throws: (any Error).self) { try handover.read() }
        handover.remove()
        #expect(FileManager.default.fileExists(atPath: other.path))
    }

    /// Leaves a long address and reads one.
    ///
    /// - Returns: What went wrong.
    private static func leave(_ count: Int, at handover: ClipHandover) -> String? {
        do {
            let address = "https://example.com/?" + String(repeating: "x", count: count)
            try handover.leave(try #require(URL(string: address)))
            guard let bytes = try handover.read() else { return "nothing is there" }
            let left = try JSONDecoder().decode(Contents.self, from: Data(bytes)).address
            return left.hasPrefix("https://example.com/?") ? nil : left
        } catch {
            return "\(error)"
        }
    }

    @Test("a file whose member name has a hundred thousand combining marks is read as fast as any other")
    func marks() throws {
        let moment = Timestamp(milliseconds: 1_795_224_750_690)
        try expectLinear(60_000) { count in
            // Marks of two combining classes in turn. Swift's own comparison sorts them all.
            let marks = String(repeating: "\u{301}\u{323}", count: count)
            let json = #"{"\u0078\#(marks)":1,"format":1,"address":"https://example.com","opened":1795224750690}"#
            #expect(json.utf8.count < ClipHandover.maximumFileLength)
            let file = try ClipFile(Array(json.utf8), now: moment, window: .standard)
            #expect(file.address == "https://example.com")
        }
    }
}
