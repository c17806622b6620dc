import DataHandoff
import Foundation
import ReferralBridge
import TestSupport
import Testing

/// How long a request is remembered, and where.
struct RequestTests {
    private func file(_ apps: Apps) -> URL { apps.storage.appending(path: "receiver.json") }

    /// How many private keys are on the disk.
    private func keys(_ apps: Apps) throws -> Int {
        try String(contentsOf: file(apps), encoding: .utf8).components(separatedBy: "\"privateKey\"").count - 1
    }

    @Test("only the last 16 requests can be answered")
    func limit() async throws {
        let apps = try Apps()
        var answers: [URL] = []
        for _ in 0..<17 { answers.append(try await apps.answer(to: apps.receiver.request())) }
        #expect(try keys(apps) == 16)
        await #expect(throws: HandoffError.unrequested) { try await apps.receiver.receive(answers[0], from: Apps.lite) }
        for answer in answers.dropFirst() { _ = try await apps.receiver.receive(answer, from: Apps.lite) }
        #expect(try keys(apps) == 0)
    }

    @Test("after ten minutes, a request's private key isn't on the disk any more")
    func expiry() async throws {
        let apps = try Apps()
        let answer = try await apps.answer(to: apps.receiver.request())
        apps.clock.milliseconds += 599_000
        _ = try apps.nextReceiver()
        #expect(try keys(apps) == 1)
        apps.clock.milliseconds += 1_000
        await #expect(throws: HandoffError.unrequested) { try await apps.receiver.receive(answer, from: Apps.lite) }
        #expect(try keys(apps) == 0)

        _ = try await apps.receiver.request()
        apps.clock.milliseconds += 600_000
        _ = try apps.nextReceiver()
        #expect(try keys(apps) == 0, "a launch removes it too")
    }

    @Test("a request can be answered again if the disk didn't take that it was answered")
    func failedSave() async throws {
        let apps = try Apps()
        let answer = try await apps.answer(to: apps.receiver.request())
        // A folder can't be written as a file, not even by root.
        let blocked = apps.storage.appending(path: "receiver.new")
        try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: false)
        await #expect(throws: HandoffError.self) { try await apps.receiver.receive(answer, from: Apps.lite) }
        await #expect(throws: HandoffError.self) { try await apps.receiver.request() }
        #expect(try Apps.tree(apps.staged).isEmpty)
        try FileManager.default.removeItem(at: blocked)
        _ = try await apps.receiver.receive(answer, from: Apps.lite)
        await #expect(throws: HandoffError.unrequested) { try await apps.receiver.receive(answer, from: Apps.lite) }
    }

    @Test("an answer that can't be accepted yet, or that somebody else sent, doesn't use up the request")
    func failedAnswer() async throws {
        let apps = try Apps(hasGroup: true)
        let answer = try await apps.answer(to: apps.receiver.request())
        let (group, away) = (apps.folder.appending(path: "group"), apps.folder.appending(path: "away"))
        try FileManager.default.moveItem(at: group, to: away)
        await #expect(throws: HandoffError.packageMissing) { try await apps.receiver.receive(answer, from: Apps.lite) }
        try FileManager.default.moveItem(at: away, to: group)
        guard case .answer(let nonce, let package) = try HandoffLink.parse(answer.absoluteString) else { return }
        for bytes in [package.dropLast(), Data("RBH1".utf8) + Data(count: 20)] {
            let link = HandoffLink.answer(nonce: nonce, package: Data(bytes))
            let forged = try #require(URL(string: link.address(scheme: "trestle")))
            await #expect(throws: HandoffError.self) { try await apps.receiver.receive(forged, from: Apps.lite) }
        }
        _ = try await apps.receiver.receive(answer, from: Apps.lite)
    }

    @Test(
        "requests on the disk that this app can't have written are none",
        arguments: [
            #"{"nonce":"AA==","made":1795224750690}"#,
            #"{"nonce":"AAAAAAAAAAAAAAAAAAAAAA==","made":1795224750690,"privateKey":"AA=="}"#,
        ]
    )
    func foreign(request: String) async throws {
        let apps = try Apps()
        try Data(#"{"requests":[\#(request)],"accepted":[]}"#.utf8).write(to: file(apps))
        _ = try apps.nextReceiver()
        let text = try String(contentsOf: file(apps), encoding: .utf8)
        #expect(text.contains("\"requests\":[]"))
    }
}
