import Foundation
import ReferralInvitations
import SimulatedRuntime
import TestSupport
import Testing

/// The folder of a center on a real disk.
struct InviteFolderTests {
    private let place = TemporaryFolder("invitations")
    private var folder: URL { place.url }

    private func center(in folder: URL) -> InviteCenter {
        InviteCenter(guestbook: InMemoryGuestbook(), programs: [.test], folder: folder)
    }

    @Test("a folder has one center at a time, and another one after that has the same code")
    func oneCenter() async throws {
        try await JobQueue.runToEnd {
            var first: InviteCenter? = center(in: folder)
            let code = try await first?.code()
            let second = center(in: folder)
            await #expect(throws: InvitesError.self) { try await second.start() }
            await #expect(throws: InvitesError.self) { try await second.code() }
            first = nil
            await JobQueue.settle()
            #expect((try? await second.code()) == code)
        }
    }

    @Test("a folder in an app group isn't locked", arguments: ["Shared/AppGroup/x", "Group Containers/x"])
    func appGroup(_ path: String) async throws {
        let shared = folder.appending(path: path)
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        await #expect(throws: InvitesError.self) { try await center(in: shared).start() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared.path).isEmpty)
    }

    @Test("what isn't a file is an error, and stays")
    func notAFile() async throws {
        let file = folder.appending(path: "invites.json")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        await #expect(throws: InvitesError.self) { try await center(in: folder).start() }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a damaged file is kept beside the new one")
    func damaged() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("nonsense".utf8).write(to: folder.appending(path: "invites.json"))
        try await center(in: folder).start()
        let damaged = try String(contentsOf: folder.appending(path: "invites.damaged"), encoding: .utf8)
        #expect(damaged == "nonsense")
    }
}
