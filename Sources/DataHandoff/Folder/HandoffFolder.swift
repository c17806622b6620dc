import Hashing
public import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The folder that apps of one team share, such as an app group's container. It carries packages of any size.
///
/// A package is `Handoff/TRANSFER/manifest.json`, with its files in `Handoff/TRANSFER/files`. It is written under another name
/// and renamed when it is whole, so that nobody sees half of one.
public struct HandoffFolder: Sendable, Equatable {
    /// The longest manifest of a package as a folder: 4 MiB.
    static let maximumManifestLength = 4 << 20

    private static let unfinished = ".unfinished"

    /// The folder that holds the packages, `Handoff` in the shared one.
    public let url: URL

    /// Creates the folder in a shared one, which must exist.
    public init(in shared: URL) {
        url = shared.appending("Handoff")
    }
}

// MARK: - Sending

extension HandoffFolder {
    /// Copies files into a new package.
    ///
    /// No more than a MiB is in memory at a time.
    ///
    /// - Parameters:
    ///   - files: The files' names and where they are.
    ///   - schema: The version of the data, as the app counts it.
    ///   - sender: The bundle identifier of the app that sends.
    ///   - receiver: The bundle identifier of the app that receives.
    ///   - created: When the data was as it is; kept in whole milliseconds.
    ///   - transfer: The transfer's identifier, a new one by default.
    /// - Returns: What the package holds.
    /// - Throws: ``HandoffError/openDatabase(_:)`` if a file is a database in use, ``HandoffError/noSpace``,
    ///   ``HandoffError/fileFailed(path:reason:)``, ``HandoffError/noFiles``, ``HandoffError/tooManyFiles`` for more than
    ///   10,000, ``HandoffError/listTooLong`` for a manifest over 4 MiB, or what ``HandoffPackage`` throws. Nothing is left then.
    @discardableResult
    public func write(
        files: [(name: String, url: URL)],
        schema: Int,
        from sender: String,
        to receiver: String,
        created: Timestamp = .now,
        transfer: UUID = UUID()
    ) throws(HandoffError) -> HandoffManifest {
        try FileNames.check(files.map(\.name))
        guard !files.isEmpty else { throw .noFiles }
        guard files.count <= HandoffRequirements.defaultFileCount else { throw .tooManyFiles }
        for (name, url) in files { try FileSystem.checkDatabase(at: url, named: name) }
        let name = transfer.uuidString.lowercased()
        let package = url.appending(name + Self.unfinished)
        do throws(HandoffError) {
            try FileSystem.makeFolder(package)
            var listed: [HandoffManifest.File] = []
            for (name, file) in files {
                let place = package.appending("files/" + name)
                try FileSystem.makeFolder(place.deletingLastPathComponent())
                let (length, sha256) = try FileSystem.copy(file, to: place, atMost: .max)
                listed.append(HandoffManifest.File(name: name, length: length, sha256: sha256))
            }
            let manifest = try HandoffManifest(
                transfer: transfer,
                created: created,
                from: sender,
                to: receiver,
                schema: schema,
                files: listed,
                maximumLength: Self.maximumManifestLength
            )
            try FileSystem.write(manifest.json.utf8, to: package.appending("manifest.json"))
            try FileSystem.flushAll(package)
            try FileSystem.rename(package, to: url.appending(name))
            try FileSystem.flush(url)
            return manifest
        } catch {
            try? FileSystem.remove(package)
            throw error
        }
    }

    /// Removes what this app began to write and didn't finish. Call it at launch, in the app that sends.
    public func removeUnfinished() throws(HandoffError) {
        for name in try FileSystem.names(in: url) where name.hasSuffix(Self.unfinished) {
            try FileSystem.remove(url.appending(name))
        }
    }

    /// Removes a package, such as one that has arrived.
    public func remove(_ manifest: HandoffManifest) throws(HandoffError) {
        try FileSystem.remove(url.appending(manifest.transfer))
    }
}

// MARK: - Receipts

extension HandoffFolder {
    private static let receipt = "receipt"

    /// Says in a package that it has arrived, if it is in this folder.
    func writeReceipt(_ note: HandoffReceipt.Note) throws(HandoffError) {
        let package = url.appending(note.transfer)
        guard case .folder = try FileSystem.kind(of: package) else { return }
        try FileSystem.write(note.digest.utf8, to: package.appending(Self.receipt + ".new"), replacing: true)
        try FileSystem.rename(package.appending(Self.receipt + ".new"), to: package.appending(Self.receipt))
    }

    /// The packages of a sender that have arrived, whose receipt has the digest of what was sent.
    public func arrived(from sender: String) -> [HandoffManifest] {
        packages(for: HandoffRequirements(maximumSize: .max, maximumFileCount: .max)).compactMap { name, manifest in
            guard let manifest = try? manifest.get(), manifest.sender == sender,
                let receipt = try? Data(contentsOf: url.appending(name + "/" + Self.receipt)),
                receipt.elementsEqual(manifest.digest.utf8)
            else { return nil }
            return manifest
        }
    }
}

// MARK: - Receiving

extension HandoffFolder {
    /// What is in the folder: the manifest of each package that the receiver can take, and why not of everything else.
    ///
    /// The newest package comes first. Nothing is removed, whatever it is.
    public func packages(
        for requirements: HandoffRequirements
    ) -> [(name: String, manifest: Result<HandoffManifest, HandoffError>)] {
        let found = ((try? FileSystem.names(in: url)) ?? []).filter { !$0.hasSuffix(Self.unfinished) }.map { name in
            (name: name, manifest: Result { () throws(HandoffError) in try manifest(name, for: requirements) })
        }
        func created(_ package: (name: String, manifest: Result<HandoffManifest, HandoffError>)) -> Double {
            (try? package.manifest.get())?.created.milliseconds ?? 0
        }
        return found.sorted { created($0) > created($1) }
    }

    /// Where a package's file is.
    func file(_ name: String, of manifest: HandoffManifest) -> URL {
        url.appending("\(manifest.transfer)/files/\(name)")
    }

    /// Whether there is a package with an identifier, in whatever state.
    func holds(_ transfer: String) throws(HandoffError) -> Bool {
        try FileSystem.kind(of: url.appending(transfer)) != nil
    }

    func manifest(_ name: String, for requirements: HandoffRequirements) throws(HandoffError) -> HandoffManifest {
        let url = url.appending(name + "/manifest.json")
        guard case .file(let length) = try FileSystem.kind(of: url) else { throw .notAPackage }
        guard length <= Self.maximumManifestLength, let json = try? Data(contentsOf: url) else {
            throw .invalidManifest
        }
        let manifest = try HandoffManifest(json: json)
        guard manifest.transfer == name else { throw .invalidManifest }
        try requirements.check(manifest)
        guard !manifest.files.isEmpty else { throw .noFiles }
        for listed in manifest.files {
            guard case .file(let length) = try FileSystem.kind(of: file(listed.name, of: manifest)) else {
                throw .truncated
            }
            guard length >= listed.length else { throw .truncated }
            guard length == listed.length else { throw .trailingBytes }
        }
        return manifest
    }
}
