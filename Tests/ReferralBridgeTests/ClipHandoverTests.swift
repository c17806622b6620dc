import Dispatch
import Foundation
import ReferralBridge
import Testing

/// The file in which an App Clip leaves its address.
struct ClipHandoverTests {
    private struct Contents: Decodable {
        let address: String
    }

    @Test("calls at the same time all leave a whole address, and the app removes what an interrupted one has left")
    func together() throws {
        let group = FileManager.default.temporaryDirectory.appendingPathComponent("clip-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: group) }
        let handover = ClipHandover(group: group)
        let folder = group.appendingPathComponent("ReferralBridge")
        let problems = Problems()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for count in 0..<50 {
                do {
                    let query = String(repeating: "x", count: count * 400 + thread)
                    try handover.leave(try #require(URL(string: "https://example.com/?" + query)))
                    guard case .file(let bytes) = try handover.read() else { throw ClipProblem.unreadable }
                    _ = try JSONDecoder().decode(Contents.self, from: Data(bytes))
                } catch {
                    problems.add(error)
                }
            }
        }
        #expect(problems.texts == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["clip.json"])

        for name in ["clip.new", "clip.1.new", "other.new"] {
            try Data("{".utf8).write(to: folder.appendingPathComponent(name))
        }
        handover.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other.new"])
    }

    private enum ClipProblem: Error { case unreadable }

    private final class Problems: @unchecked Sendable {
        private let lock = NSLock()
        private var found: [String] = []

        var texts: [String] { lock.withLock { found } }

        func add(_ error: any Error) { lock.withLock { found.append("\(error)") } }
    }

    @Test(
        "a file whose member name has a hundred thousand combining marks is read as fast as any other",
        .timeLimit(.minutes(5))
    )
    func marks() throws {
        // Marks of two combining classes in turn. Swift's own comparison sorts them all.
        let marks = String(repeating: "\u{301}\u{323}", count: 60_000)
        let moment = Timestamp(milliseconds: 1_795_224_750_690)
        let json = #"{"\u0078\#(marks)":1,"format":1,"address":"https://example.com","opened":1795224750690}"#
        #expect(json.utf8.count < ClipHandover.maximumFileLength)
        for _ in 0..<20 {
            let file = try ClipFile(Array(json.utf8), now: moment, window: .standard)
            #expect(file.address == "https://example.com")
        }
    }
}
