public import ReferralFoundation

/// The folder that apps of one team share, such as an app group's container. It carries packages of any size.
///
/// A package is `Handoff/TRANSFER/manifest.json`, with its files in `Handoff/TRANSFER/files`. It is written under a
/// unique name and renamed when it is complete, so other apps never see an incomplete package. Once it has arrived, its
/// files are replaced by a receipt.
///
/// Several apps may write at the same time. No file locks are used, since iOS ends a suspended app that holds one here.
public struct HandoffFolder: Sendable, Equatable {
    /// Something in the folder.
    public struct Listing: Sendable, Equatable {
        /// Its name in the folder, which for a package is the transfer's.
        public let name: String
        /// The manifest of a package that the receiver accepts, or why it doesn't.
        public let manifest: Result<HandoffManifest, HandoffError>
    }

    /// The longest manifest of a package as a folder: 4 MiB.
    static let maximumManifestLength = 4 << 20

    private static let unfinished = ".unfinished"
    private static let removed = ".removed"

    /// The time, in seconds, after which an unfinished package counts as abandoned: one day. An app may be suspended
    /// that long.
    private static let lifetimeOfUnfinished: TimeInterval = 86_400

    /// The folder with the packages: `Handoff` in the shared folder.
    package let url: URL

    /// Creates the folder in a shared folder, which must exist.
    public init(in shared: URL) {
        url = shared.appending("Handoff")
    }
}

// MARK: - Sending

extension HandoffFolder {
    /// Copies an app's files, and the list of its user defaults, into a new package.
    ///
    /// At most 1 MiB is in memory at a time.
    ///
    /// - Parameters:
    ///   - contents: The files, and the user defaults as the sender has listed them.
    ///   - route: The two apps.
    ///   - created: The time of the data, in whole milliseconds.
    /// - Returns: The package's manifest.
    /// - Throws: ``HandoffError/openDatabase(_:)`` if a file is a database in use, ``HandoffError/noSpace``,
    ///   ``HandoffError/fileFailed(path:reason:)``, ``HandoffError/listTooLong`` for a manifest over 4 MiB, or an error of
    ///   `HandoffPackage`. Nothing remains then.
    @discardableResult
    package func write(
        _ contents: HandoffContents,
        on route: HandoffRoute,
        created: Timestamp
    ) throws(HandoffError) -> HandoffManifest {
        for file in contents.files { try FileSystem.checkDatabase(at: file.url, named: file.name) }
        let unfinished = UUID().uuidString + Self.unfinished
        let package = url.appending(unfinished)
        // The name of what remains on an error.
        var remains = unfinished
        do throws(HandoffError) {
            try FileSystem.makeFolder(url, flushing: true)
            try FileSystem.makeFolder(package)
            var listed: [HandoffManifest.File] = []
            for file in contents.files {
                let place = package.appending("files/" + file.name)
                try FileSystem.makeFolder(place.deletingLastPathComponent())
                let (length, sha256) = try FileSystem.copy(file.url, to: place, atMost: .max)
                listed.append(HandoffManifest.File(name: file.name, length: length, sha256: sha256))
            }
            if let defaults = contents.defaultsList {
                let place = package.appending("files/" + HandoffDefaults.fileName)
                try FileSystem.makeFolder(place.deletingLastPathComponent())
                try FileSystem.write(defaults, to: place)
                listed.append(HandoffManifest.File(HandoffDefaults.fileName, defaults))
            }
            let manifest = try HandoffManifest(
                transfer: UUID(),
                created: created,
                from: route.sender,
                to: route.receiver,
                schema: contents.schema,
                files: listed,
                maximumLength: Self.maximumManifestLength
            )
            try FileSystem.write(manifest.json.utf8, to: package.appending("manifest.json"))
            try FileSystem.flushAll(package)
            // After a day, another app may have removed this package as abandoned.
            try checkFiles(of: manifest, in: unfinished)
            try FileSystem.rename(package, to: url.appending(manifest.transfer))
            remains = manifest.transfer
            try FileSystem.flush(url)
            return manifest
        } catch {
            try? discard(remains)
            throw error
        }
    }

    /// Removes packages that weren't finished within a day, and the remains of interrupted removals.
    ///
    /// Sending and ``HandoffReceiver/recover(in:)`` call it.
    package func removeUnfinished() throws(HandoffError) {
        for name in try FileSystem.names(in: url) {
            if name.hasSuffix(Self.removed) || isGivenUp(name) { try discard(name) }
            if try hasReceipt(name) { try discard(name + "/files") }
        }
    }

    private func isGivenUp(_ name: String) -> Bool {
        guard name.hasSuffix(Self.unfinished) else { return false }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(name).path)
        guard let changed = attributes?[.modificationDate] as? Date else { return false }
        return abs(changed.timeIntervalSinceNow) > Self.lifetimeOfUnfinished
    }

    /// Removes a package, such as one that has arrived.
    public func remove(_ manifest: HandoffManifest) throws(HandoffError) { try discard(manifest.transfer) }

    /// Removes a file or a folder. It is renamed first, so that its remains don't look like a package.
    func discard(_ name: String) throws(HandoffError) {
        let (place, garbage) = (url.appending(name), url.appending(UUID().uuidString + Self.removed))
        // Two apps may remove the same package.
        guard try FileSystem.kind(of: place) != nil else { return }
        do { try FileSystem.rename(place, to: garbage) } catch {
            guard try FileSystem.kind(of: place) != nil else { return }
            throw error
        }
        do { try FileSystem.remove(garbage) } catch {
            guard try FileSystem.kind(of: garbage) != nil else { return }
            throw error
        }
    }
}

// MARK: - Receipts

extension HandoffFolder {
    private static let receipt = "/receipt"

    /// Writes the receipt of a package that has arrived, if it is in this folder, and removes its files, and the older packages that
    /// it supersedes.
    ///
    /// - Parameters:
    ///   - manifestDigest: The digest of the package's manifest.
    ///   - transfer: The transfer's identifier.
    /// - Throws: ``HandoffError``.
    func confirm(_ manifestDigest: String, of transfer: String) throws(HandoffError) {
        guard try isFolder(transfer), try FileSystem.kind(of: url.appending(transfer + "/manifest.json")) != nil
        else { return }
        let manifest = try manifest(of: transfer)
        guard manifest.digest == manifestDigest else { return }
        // This comes before the receipt, so that it is repeated after an interruption here.
        try discardSuperseded(by: manifest)
        let new = url.appending("\(transfer)/\(UUID().uuidString).new")
        do throws(HandoffError) {
            try FileSystem.write(manifestDigest.utf8, to: new)
            try FileSystem.rename(new, to: url.appending(transfer + Self.receipt))
            try FileSystem.flush(url.appending(transfer))
        } catch {
            try? FileSystem.remove(new)
            throw error
        }
        try discard(transfer + "/files")
    }

    /// Removes the packages that haven't arrived and that a package on this device supersedes, wherever that came from.
    func discardSuperseded(by manifest: HandoffManifest) throws(HandoffError) {
        for name in try FileSystem.names(in: url) where try !hasReceipt(name) {
            if let other = try? self.manifest(of: name), manifest.supersedes(other) { try? discard(name) }
        }
    }

    /// Whether the receiver has confirmed a package, by the digest of what was sent.
    func hasReceipt(of package: SentPackage) throws(HandoffError) -> Bool {
        guard try hasReceipt(package.transfer) else { return false }
        let receipt = try FileSystem.contents(of: url.appending(package.transfer + Self.receipt))
        return receipt.elementsEqual(package.digest.utf8)
    }

    private func hasReceipt(_ transfer: String) throws(HandoffError) -> Bool {
        guard try isFolder(transfer) else { return false }
        // A longer file isn't a digest.
        let kind = try FileSystem.kind(of: url.appending(transfer + Self.receipt))
        return if case .file(...HandoffManifest.digestLength) = kind { true } else { false }
    }
}

// MARK: - Receiving

extension HandoffFolder {
    /// The contents of the folder, as for ``HandoffReceiver/packages()``. Packages that have already arrived aren't listed. Nothing is
    /// removed.
    package func packages(for requirements: HandoffRequirements) throws(HandoffError) -> [Listing] {
        var found: [Listing] = []
        for name in try FileSystem.names(in: url) {
            guard !name.hasSuffix(Self.unfinished), !name.hasSuffix(Self.removed), try !hasReceipt(name) else {
                continue
            }
            let accepted = Result { () throws(HandoffError) in try manifest(name, for: requirements) }
            found.append(Listing(name: name, manifest: accepted))
        }
        func created(_ package: Listing) -> Double {
            (try? package.manifest.get())?.created.milliseconds ?? 0
        }
        return found.sorted { created($0) > created($1) }
    }

    /// The location of a package's file.
    func file(_ name: String, of manifest: HandoffManifest) -> URL {
        url.appending("\(manifest.transfer)/files/\(name)")
    }

    /// Whether there is a package with this identifier that hasn't arrived yet.
    func holds(_ transfer: String) throws(HandoffError) -> Bool {
        guard try isFolder(transfer) else { return false }
        return try !hasReceipt(transfer)
    }

    /// Whether a name is a folder here, and not a symbolic link, which leads out of this folder.
    private func isFolder(_ name: String) throws(HandoffError) -> Bool {
        let kind = try FileSystem.kind(of: url.appending(name))
        return if case .folder = kind { true } else { false }
    }

    /// The manifest of a package that the receiver accepts and whose files exist.
    func manifest(_ name: String, for requirements: HandoffRequirements) throws(HandoffError) -> HandoffManifest {
        let manifest = try manifest(of: name)
        try requirements.check(manifest)
        guard !manifest.files.isEmpty else { throw .noFiles }
        try checkFiles(of: manifest, in: name)
        return manifest
    }

    private func manifest(of name: String) throws(HandoffError) -> HandoffManifest {
        let url = url.appending(name + "/manifest.json")
        guard try isFolder(name), case .file(let length) = try FileSystem.kind(of: url) else { throw .notAPackage }
        guard length <= Self.maximumManifestLength else { throw .invalidManifest }
        let manifest = try HandoffManifest(json: FileSystem.contents(of: url))
        guard manifest.transfer == name else { throw .invalidManifest }
        return manifest
    }

    private func checkFiles(of manifest: HandoffManifest, in name: String) throws(HandoffError) {
        for listed in manifest.files {
            let file = url.appending("\(name)/files/\(listed.name)")
            guard case .file(let length) = try FileSystem.kind(of: file) else { throw .truncated }
            guard length >= listed.length else { throw .truncated }
            guard length == listed.length else { throw .trailingBytes }
        }
    }
}
