import Foundation
import ReferralBridge
import TestSupport
import Testing

@testable import DataHandoff

struct PackageTests {
    private static func package(_ files: [(name: String, contents: Data)]) throws -> HandoffPackage {
        let created = Timestamp(milliseconds: 1_795_224_750_690)
        return try HandoffPackage(files: files, schema: 3, from: Apps.lite, to: Apps.paid, created: created)
    }

    /// A package of 2 kB.
    private static func small() throws -> HandoffPackage {
        let contents = Data((0..<1_500).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        return try package([("boards.sqlite", contents), ("pictures/1.png", Data("a picture".utf8)), ("empty", Data())])
    }

    @Test("random trees of files read back as they were written", arguments: 0..<50)
    func randomTrees(_ round: Int) throws {
        let letters = ["a", "B", "é", "e\u{301}", "字", "🎉", ".", " ", "-", "\"", "\u{2028}", "ß", "ı"]
        var files: [(name: String, contents: Data)] = []
        for index in 0..<Int.random(in: 0...20) {
            let components = (0..<Int.random(in: 1...7)).map { _ in
                "x" + (0..<Int.random(in: 0...10)).map { _ in letters.randomElement() ?? "" }.joined() + "x"
            }
            // A folder and a file of one name would be one too many.
            let name = (["\(index)"] + components).joined(separator: "/")
            files.append((name, Data((0..<Int.random(in: 0...2_000)).map { _ in UInt8.random(in: 0...255) })))
        }
        let package = try Self.package(files)
        let bytes = try package.bytes()
        let read = try HandoffPackage(bytes: bytes, for: HandoffRequirements(receiver: Apps.paid, schemas: 3...3))
        #expect(read == package)
        #expect(read.manifest.files.map(\.name) == files.map(\.name))
        #expect(read.contents == files.map(\.contents))
        #expect(try read.bytes() == bytes)
    }

    /// Of a byte of the contents one bit, as each changes the digest; all of them with `EVERY_BIT=1`. The short form has two of the
    /// others.
    @Test("an open package with any bit changed isn't taken, unless the bit only changes what the manifest says")
    func changedBits() throws {
        let isThorough = ProcessInfo.processInfo.environment["EVERY_BIT"] != nil
        let package = try Self.small()
        let bytes = try package.bytes()
        let contents = bytes.count - package.contents.reduce(0) { $0 + $1.count }
        for place in 0..<bytes.count {
            let count = isThorough ? 8 : place < contents ? samples(2, long: 8) : 1
            for bit in 0..<count {
                var changed = bytes
                changed[place] ^= 1 << ((place + 3 * bit) % 8)
                let read = try? HandoffPackage(bytes: changed)
                guard let read else { continue }
                // Names, dates and identifiers have no digest of their own. A seal protects them too.
                #expect((10..<contents).contains(place), "\(place), \(bit)")
                #expect(read.manifest.digest != package.manifest.digest, "\(place), \(bit)")
            }
        }
    }

    @Test("a sealed package with any bit changed isn't taken")
    func sealedBits() throws {
        let (package, sealer) = (try Self.small(), ToySealer())
        let route = HandoffRoute(from: Apps.lite, to: Apps.paid, scheme: "trestle", returnScheme: "trestle-lite")
        let (nonce, key) = (Data(repeating: 7, count: 16), try sealer.makeKey())
        let sending = try Exchange(answering: nonce, of: key.publicKey, route, sealer)
        let bytes = try package.bytes(codec: .stored, seal: sending.seal)
        func read(_ bytes: Data) throws -> HandoffPackage {
            let exchange = Exchange(opening: bytes, nonce, key, route, sealer)
            return try HandoffPackage(bytes: bytes, for: HandoffRequirements()) { box, header throws(HandoffError) in
                try exchange.open(box, header: header)
            }
        }
        #expect(try read(bytes) == package)
        let exchange = Exchange(opening: bytes, nonce, key, route, sealer)
        #expect(throws: HandoffError.sealed) { try exchange.open(bytes.dropFirst(6), header: Data("another".utf8)) }
        for place in 0..<bytes.count {
            var changed = bytes
            changed[place] ^= 1 << UInt8.random(in: 0...7)
            #expect(throws: HandoffError.self) { try read(changed) }
        }
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: HandoffError.self) { try read(bytes.prefix(count)) }
        }
    }

    @Test("a manifest over 64 KiB isn't written, nor a schema below 0, nor an empty bundle identifier")
    func limits() throws {
        let many = (0..<1_000).map { (name: "file \($0)", contents: Data()) }
        #expect(throws: HandoffError.listTooLong) { try Self.package(many) }
        #expect(throws: HandoffError.unsupportedSchema(-1)) {
            try HandoffPackage(files: [], schema: -1, from: Apps.lite, to: Apps.paid)
        }
        for (sender, receiver) in [("", "x"), ("x", "")] {
            #expect(throws: HandoffError.invalidManifest) {
                try HandoffPackage(files: [("a", Data())], schema: 1, from: sender, to: receiver)
            }
        }
        let json = try HandoffPackage(files: [], schema: 1, from: "x", to: "x").manifest.json
        for member in ["from", "to"] {
            let empty = json.replacing("\"\(member)\":\"x\"", with: "\"\(member)\":\"\"")
            #expect(throws: HandoffError.invalidManifest) { try HandoffManifest(json: empty.utf8) }
        }
    }

    @Test("a file that is there is never written over, as where a file system takes two names for one")
    func existingFile() throws {
        let apps = try Apps()
        let (there, other) = (apps.folder.appending(path: "lite/boards.sqlite"), apps.folder.appending(path: "other"))
        try Data("other".utf8).write(to: other)
        #expect(throws: HandoffError.self) { try FileSystem.write(Data("new".utf8), to: there) }
        #expect(throws: HandoffError.self) { try FileSystem.copy(other, to: there, atMost: .max) }
        #expect(try String(contentsOf: there, encoding: .utf8) == "fourteen boards")
    }

    @Test("every error has a sentence of its own for the person")
    func sentences() {
        let errors: [HandoffError] = [
            .notAPackage, .sealed, .invalidManifest, .wrongReceiver("a"), .newerSchema(4), .unsupportedSchema(0),
            .invalidName("a"), .tooManyFiles, .tooLarge, .codecUnavailable, .truncated, .trailingBytes, .corrupt,
            .fileFailed(path: "a", reason: "b"), .openDatabase("a"), .linkTooLong, .missingPayload, .malformedPayload,
            .unexpectedApp(nil), .unexpectedApp("a"), .unrequested, .openAnswer, .notSealed, .noGroup, .appFailed("a"),
            .noSealer, .tooLargeForLink(left: [.group, .file]), .tooLargeForLink(left: [.file]), .fileExists("a"),
            .otherAppMissing, .wrongSender("a"), .noFiles, .listTooLong, .packageMissing, .alreadyDecided, .noSpace,
            .notALink, .openingDeclined, .invalidDefaults, .fileFailed(path: "c", reason: "The system's sentence."),
        ]
        let sentences = errors.map(\.description)
        #expect(errors.map(\.localizedDescription) == errors.map(\.description))
        #expect(sentences.allSatisfy { $0.contains(/^[A-Z].*[^.]\.$/) })
        #expect(Set(sentences).count == errors.count)
    }
}
