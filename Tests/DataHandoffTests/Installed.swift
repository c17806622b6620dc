import DataHandoff
import Foundation
import ReferralBridge
import TestSupport
import Testing

/// What is on the disk around a destination.
extension Apps {
    var storage: URL { folder.appending(path: "storage/DataHandoff") }

    /// The folder of the offers that nobody has decided yet.
    var staged: URL { storage.appending(path: "staged") }

    /// The folders of the installations that aren't finished.
    var installations: [URL] {
        let folder = storage.appending(path: "installations")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appending(path: $0) }
    }

    /// Every path in a folder, with the contents of the files.
    static func tree(_ folder: URL) throws -> [String: Data] {
        var tree: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            tree[path] = try? Data(contentsOf: folder.appending(path: path))
            tree[path] = tree[path] ?? Data("a folder".utf8)
        }
        return tree
    }

    /// The files where the app's data is, with their texts.
    func contents() throws -> [String: String] {
        try Self.tree(documents).compactMapValues { String(data: $0, encoding: .utf8) }
    }

    /// Writes a file at a path from the apps' folder.
    func put(_ text: String, at path: String) throws { try Self.put(text, at: folder.appending(path: path)) }

    private static func put(_ text: String, at url: URL) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Makes a symbolic link at a path, both from the apps' folder.
    func link(_ path: String, to target: String) throws {
        let (link, target) = (folder.appending(path: path), folder.appending(path: target))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    }

    /// Another receiver, as at the next launch or in an extension of the app.
    func nextReceiver(
        in storage: URL? = nil,
        schemas: ClosedRange<Int> = 1...1,
        accepting: HandoffDefaults? = nil,
        sealing: HandoffSealing = .custom(ToySealer())
    ) throws -> HandoffReceiver {
        let clock = clock
        return try HandoffReceiver(
            route,
            schemas: schemas,
            storage: storage ?? folder.appending(path: "storage"),
            defaults: accepting,
            sealing: sealing,
            clock: DeviceClock(now: { clock.now })
        )
    }

    /// What the sender may send for a new request.
    func delivery() async throws -> HandoffDelivery {
        guard case .request(let delivery) = try await sender.receive(receiver.request(), from: Self.paid) else {
            throw HandoffError.notALink
        }
        return delivery
    }

    /// The nonce of a new request.
    func requestedNonce() async throws -> Data {
        guard case .request(let nonce, _) = try await HandoffLink.parse(receiver.request().absoluteString) else {
            throw HandoffError.notALink
        }
        return nonce
    }

    /// The address that answers a new request with a package.
    func answer(with package: HandoffPackage) async throws -> URL {
        let link = HandoffLink.answer(nonce: try await requestedNonce(), package: try package.bytes())
        return try #require(URL(string: link.address(scheme: "trestle")))
    }

    /// The offer that an answer brings.
    func offer(at answer: URL, from app: String? = lite) async throws -> HandoffOffer {
        guard case .offer(let offer) = try await receiver.receive(answer, from: app) else {
            throw HandoffError.notALink
        }
        return offer
    }

    /// The offer of all that the sender sends, in a file.
    func offer() async throws -> HandoffOffer { try await receiver.receive(fileAt: sender.makeFile()) }

    /// What a receipt confirms to the sender.
    func confirmation(_ receipt: URL, from app: String? = paid) async throws -> HandoffConfirmation {
        guard case .receipt(let confirmation) = try await sender.receive(receipt, from: app, acceptsUnnamedApps: true)
        else { throw HandoffError.notALink }
        return confirmation
    }

    /// A package of Trestle Lite in a file.
    func package(
        _ files: [(name: String, contents: Data)],
        created: Timestamp? = nil,
        transfer: UUID = UUID()
    ) throws -> URL {
        let package = try HandoffPackage(
            files: files,
            schema: 1,
            from: Self.lite,
            to: Self.paid,
            created: created ?? clock.now,
            transfer: transfer
        )
        let file = folder.appending(path: "package-\(UUID().uuidString)")
        try package.bytes().write(to: file)
        return file
    }

    /// An offer of files with these contents.
    func offer(_ files: [String: String]) async throws -> HandoffOffer {
        let file = try package(files.sorted { $0.key < $1.key }.map { ($0.key, Data($0.value.utf8)) })
        defer { try? FileManager.default.removeItem(at: file) }
        return try await receiver.receive(fileAt: file)
    }

    /// Makes an installation as a crash leaves it: begun, with its new files and those that they replace, but nothing is in its
    /// place yet.
    ///
    /// - Returns: Its folder.
    @discardableResult
    func beginInstallation(
        _ files: [String: String],
        offer: HandoffOffer? = nil,
        change: (inout String) -> Void = { _ in }
    ) async throws -> URL {
        let original = try Self.tree(documents)
        let before = Set(installations)
        let whole = if let offer { offer } else { try await self.offer(files) }
        _ = try await whole.install(into: documents)
        let folder = try #require(installations.first { !before.contains($0) })
        for (name, text) in files { try Self.put(text, at: folder.appending(path: "new/" + name)) }
        for path in try Self.tree(documents).keys.sorted(by: >)
        where original[path] == nil || files[path] != nil {
            try FileManager.default.removeItem(at: documents.appending(path: path))
        }
        // The very files that were there, which have a second name in `old`.
        let old = folder.appending(path: "old")
        for path in original.keys
        where !FileManager.default.fileExists(atPath: documents.appending(path: path).path) {
            try FileManager.default.linkItem(at: old.appending(path: path), to: documents.appending(path: path))
        }
        let journal = folder.appending(path: "installed.json")
        var json = try String(contentsOf: journal, encoding: .utf8)
        change(&json)
        try Data(json.utf8).write(to: folder.appending(path: "replacing.json"))
        try FileManager.default.removeItem(at: journal)
        #expect(try Self.tree(documents) == original)
        return folder
    }

    /// Puts a new file of an installation in its place, as the library does.
    func putInPlace(_ name: String, of installation: URL) throws {
        let place = documents.appending(path: name)
        try? FileManager.default.removeItem(at: place)
        let outer = place.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: outer, withIntermediateDirectories: true)
        try FileManager.default.linkItem(at: installation.appending(path: "new/" + name), to: place)
    }
}
