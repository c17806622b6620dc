import Foundation
import ReferralInvitations
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The guestbook that the article *The guestbook* names, with its server in a process of its own.
struct WebGuestbookTests {
    private let server = GuestbookServer()

    private func entry(by referrer: String = "4F7K-9Q2M-XRKQ", program: String = "invite-2026") -> GuestbookEntry {
        let day = Date(timeIntervalSince1970: 1_795_219_200)
        return GuestbookEntry(program: program, referrer: referrer, event: "first-board", day: day)
    }

    @Test("a user signs once per program, and the person who invited them finds the entry once")
    func signing() async throws {
        let (anna, ben) = (server.guestbook("anna"), server.guestbook("ben"))
        #expect(try await ben.myself() == "_ben")
        #expect(try await ben.sign(entry()) == .signed)
        #expect(try await ben.sign(entry(by: "another")) == .alreadySigned)
        let page = try await anna.records(for: "4F7K-9Q2M-XRKQ", after: nil)
        let name = GuestbookRecord.name(creator: "_ben", program: "invite-2026")
        #expect(page.records == [GuestbookRecord(name: name, creator: "_ben", program: "invite-2026")])
        #expect(page.isLast)
        #expect(try await anna.records(for: "4F7K-9Q2M-XRKQ", after: page.cursor).records.isEmpty)
        #expect(try await anna.records(for: "another", after: nil).records.isEmpty)
    }

    @Test("if the answer is lost after the entry was saved, signing again says so")
    func lostAnswer() async throws {
        let lost = server.guestbook("lost")
        await #expect(throws: GuestbookError.offline) { try await lost.sign(entry()) }
        #expect(try await lost.sign(entry()) == .alreadySigned)
        #expect(try await server.guestbook("anna").records(for: "4F7K-9Q2M-XRKQ", after: nil).records.count == 1)
    }

    @Test("nobody is signed in without a token, or with another one; without a server, the app is offline")
    func notSignedIn() async throws {
        let stranger = server.guestbook("stranger")
        await #expect(throws: GuestbookError.notSignedIn) { try await stranger.sign(entry()) }
        let nobody = WebGuestbook(server: server.address) { nil }
        await #expect(throws: GuestbookError.notSignedIn) { try await nobody.myself() }
        let nowhere = WebGuestbook(server: try #require(URL(string: "http://127.0.0.1:1"))) { "anna-token" }
        await #expect(throws: GuestbookError.offline) { try await nowhere.myself() }
    }

    @Test(
        "what no app sends is refused, and the server answers the next request",
        arguments: [
            ("sign", "", 400), ("sign", "[]", 400), ("sign", "{}", 400),
            ("sign", #"{"program":1,"referrer":"x","event":"first-board","day":"2026-11-24"}"#, 400),
            ("sign", #"{"program":"invite-2026","referrer":"","event":"first-board","day":"2026-11-24"}"#, 400),
            ("sign", #"{"program":"invite-2026","referrer":"x","event":"other","day":"2026-11-24"}"#, 403),
            ("records", #"{"referrer":"x","after":"-1"}"#, 400), ("records", #"{"referrer":"x' OR '1' = '1"}"#, 200),
            ("myself", #"{"user":"_anna"}"#, 400), ("other", "{}", 404),
        ]
    )
    func hostileInput(function: String, body: String, status: Int) async throws {
        #expect(try await server.status(function, body) == status)
        let ben = server.guestbook("ben")
        #expect(try await ben.sign(entry()) == .signed)
        #expect(try await ben.records(for: "4F7K-9Q2M-XRKQ", after: nil).records.count == 1)
    }
}

/// The server of the article, in a process of its own until the test ends.
final class GuestbookServer: Sendable {
    let address: URL
    private let input = Pipe()

    init() {
        let process = Process()
        let output = Pipe()
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let users = ["anna", "ben", "lost"]
        process.arguments =
            ["python3", folder.appending(path: "guestbook-server.py").path(percentEncoded: false)] + users
        (process.standardInput, process.standardOutput) = (input, output)
        do { try process.run() } catch { fatalError("guestbook-server.py: \(error)") }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Int(port) != nil, let address = URL(string: "http://127.0.0.1:\(port)/") else {
            fatalError("guestbook-server.py printed no port but \(line)")
        }
        self.address = address
    }

    deinit { try? input.fileHandleForWriting.close() }

    func guestbook(_ name: String) -> WebGuestbook { WebGuestbook(server: address) { "\(name)-token" } }

    /// The status of the answer to any body.
    func status(_ function: String, _ body: String) async throws -> Int? {
        var request = URLRequest(url: address.appending(path: function))
        request.httpMethod = "POST"
        request.setValue("Bearer anna-token", forHTTPHeaderField: "Authorization")
        request.httpBody = Data(body.utf8)
        return (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
    }
}
