import Foundation
import TestSupport
import Testing
import Unlocks

/// The pictures of a catalog, from a server that answers over a real connection.
struct PictureFilesTests {
    private let server: CatalogServer
    private let place = TemporaryFolder("pictures")

    init() throws { server = try CatalogServer() }

    private var files: PictureFiles { PictureFiles(place.url, timeLimit: 600) }

    /// A picture of any text but this one can be decoded.
    private static let broken = Data("broken".utf8)

    private func load(_ files: PictureFiles, at address: URL? = nil) async -> Data? {
        await files.picture(at: address ?? server.address) { $0 == Self.broken ? nil : $0 }
    }

    private var kept: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: place.url.path()) } }

    @Test("a picture is loaded once, and a later launch shows it without the server")
    func kept() async throws {
        let picture = Data("a picture".utf8)
        try await server.answer(picture)
        #expect(await load(files) == picture)
        #expect(await load(files) == picture)
        #expect(try await server.requests().count == 1)
        #expect(try kept.map(\.count) == [64], "the name is a digest")
    }

    @Test("another address is another picture, whatever its last part is")
    func addresses() async throws {
        let other = try #require(URL(string: server.address.absoluteString + "?2"))
        try await server.answer(Data("first".utf8))
        try await server.answer(Data("second".utf8), at: other)
        #expect(await load(files) == Data("first".utf8))
        #expect(await load(files, at: other) == Data("second".utf8))
        #expect(try kept.count == 2)
    }

    @Test("2 MiB are loaded, and a byte more isn't")
    func size() async throws {
        let largest = Data(repeating: 1, count: PictureFiles.maximumLength)
        #expect(largest.count == 2_097_152)
        try await server.answer(largest + [1])
        #expect(await load(files) == nil)
        try await server.answer(largest)
        #expect(await load(files) == largest)
    }

    @Test(
        "an answer that is too large isn't waited for, whether or not it says so",
        .endsIfHung,
        arguments: [true, false]
    )
    func endless(isAnnounced: Bool) async throws {
        let length = ["Content-Length": "\(PictureFiles.maximumLength + 1)"]
        try await server.answer(headers: isAnnounced ? length : [:], isAnnounced ? .drip : .endless)
        #expect(await load(files) == nil)
    }

    @Test("a picture that isn't there, is cut off or takes too long is tried again next time")
    func failures() async throws {
        #expect(await load(files) == nil, "404")
        let picture = Data("a picture".utf8)
        try await server.answer(picture, .cut)
        #expect(await load(files) == nil)
        try await server.answer(picture, .drip)
        #expect(await load(PictureFiles(place.url, timeLimit: 0.3)) == nil)
        #expect(throws: CocoaError.self, "nothing is kept") { try kept }
        try await server.answer(picture)
        #expect(await load(files) == picture)
    }

    @Test("a broken picture isn't kept, and a kept one that has become broken is loaded again")
    func broken() async throws {
        try await server.answer(Self.broken)
        #expect(await load(files) == nil)
        let picture = Data("a picture".utf8)
        try await server.answer(picture)
        #expect(await load(files) == picture)
        let name = try #require(try kept.first)
        try Self.broken.write(to: place.url.appending(path: name))
        #expect(await load(files) == picture)
        #expect(try await server.requests().count == 3)
    }

    @Test("a redirect to a file isn't followed")
    func redirect() async throws {
        try await server.answer(status: 302, headers: ["Location": "file:///etc/hostname"])
        #expect(await load(files) == nil)
    }

    @Test("100 pictures are kept, and the oldest one makes room")
    func count() async throws {
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
        for number in 1...PictureFiles.maximumCount {
            let file = place.url.appending(path: "\(number)")
            try Data("a picture".utf8).write(to: file)
            let date = Date(timeIntervalSince1970: number == 37 ? 1 : Double(1 + number))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path())
        }
        try await server.answer(Data("new".utf8))
        #expect(await load(files) == Data("new".utf8))
        let names = try kept
        #expect(names.count == PictureFiles.maximumCount)
        #expect(!names.contains("37"))
        #expect(await load(files) == Data("new".utf8))
        #expect(try await server.requests().count == 1)
    }

    @Test("a folder that can't be written doesn't keep a picture from being shown")
    func unwritable() async throws {
        try Data().write(to: place.url)
        try await server.answer(Data("a picture".utf8))
        #expect(await load(files) == Data("a picture".utf8))
    }
}
