import DataHandoff
import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// The file that is read is the one that was looked at, and what fails leaves nothing.
struct ChosenFileTests {
    @Test("a file that is too large isn't read, also behind a symbolic link")
    func limit() async throws {
        let apps = try Apps(maximumSize: 100)
        let file = apps.folder.appending(path: "large")
        try Data(count: 2 << 20 + 64 << 10).write(to: file)
        let link = apps.folder.appending(path: "link")
        try apps.link("link", to: "large")
        for url in [file, link] {
            await #expect(throws: HandoffError.tooLarge) { try await apps.receiver.receive(fileAt: url) }
        }
        await #expect(throws: HandoffError.fileFailed(path: "zero", reason: "it isn't a file")) {
            try await apps.receiver.receive(fileAt: URL(fileURLWithPath: "/dev/zero"))
        }
        let package = try await apps.sender.makeFile()
        let linked = apps.folder.appending(path: "linked")
        try FileManager.default.createSymbolicLink(at: linked, withDestinationURL: package)
        try await apps.receiver.receive(fileAt: linked).install(into: apps.documents).finish()
        #expect(apps.file == "fourteen boards")
    }

    @Test("a file may be as long as the limit and a package's own parts, and not a byte longer")
    func exactLimit() async throws {
        let apps = try Apps(maximumSize: 100)
        let file = apps.folder.appending(path: "file")
        let longest = 100 + 64 << 10 + 1 << 20
        for (length, error) in [(longest, HandoffError.sealed), (longest + 1, .tooLarge)] {
            let header = Data("RBH1".utf8) + [0, 1]
            try (header + Data(count: length - header.count)).write(to: file)
            await #expect(throws: error) { try await apps.receiver.receive(fileAt: file) }
        }
    }

    @Test("a pipe without another end is an error, and nobody waits for it", .endsIfHung)
    func pipe() async throws {
        let apps = try Apps()
        let pipe = apps.folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [pipe, apps.folder] {
            await #expect(throws: HandoffError.self) { try await apps.receiver.receive(fileAt: url) }
        }
        // In the shared folder, the pipe takes a file's place after the manifest was read.
        let shared = try Apps(hasGroup: true)
        let manifest = try await shared.sender.sendToGroup()
        let file = shared.folder.appending(path: "group/Handoff/\(manifest.transfer)/files/boards.sqlite")
        try FileManager.default.removeItem(at: file)
        #expect(mkfifo(file.path, 0o600) == 0)
        await #expect(throws: HandoffError.self) { try await shared.receiver.open(manifest) }
    }
}
