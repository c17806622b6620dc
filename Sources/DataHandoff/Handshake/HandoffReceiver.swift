public import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The app that data comes to.
///
/// ```swift
/// let receiver = try HandoffReceiver(route, schemas: 1...3, storage: applicationSupport)
/// await open(try receiver.request())                                      // the sender answers with a link
/// if case .offer(let offer) = try await receiver.open(url, from: sourceApplication) {
///     let receipt = try await offer.install(into: documents)              // once the person has agreed
/// }
/// ```
///
/// Nothing is written where the app's data is until the person has agreed. Call ``recover(in:)`` at each launch, before
/// anything opens the files.
public actor HandoffReceiver {
    /// What an address brought.
    public enum Arrival: Sendable {
        /// A package that was asked for.
        case offer(HandoffOffer)
        /// The sender wants to send something, and nobody has asked for it. Ask the person, then make a ``request()``.
        case invitation
    }

    /// What this app remembers between launches.
    private struct Record: Codable {
        struct Request: Codable {
            let nonce: Data
            let made: Timestamp
            let privateKey: Data?
            let publicKey: Data?
        }

        var requests: [Request] = []
        /// When the newest package was made that was taken, and the transfers of the last ones.
        var newest: Timestamp?
        var transfers: [String] = []
    }

    /// How long a request waits for its answer, in seconds: ten minutes.
    public static let requestLifetime: TimeInterval = 600

    private let route: HandoffRoute
    private let requirements: HandoffRequirements
    private let storage: URL
    private let sealer: (any HandoffSealer)?
    private let now: @Sendable () -> Timestamp
    private var record: Record
    /// The names of what this process has staged.
    private var stagedHere: Set<String> = []

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - route: The two apps.
    ///   - schemas: The versions of the data that this app takes.
    ///   - maximumSize: The largest size of all files together, in bytes.
    ///   - storage: A folder of the app's own, on the volume of its data. It is made if it isn't there.
    ///   - sealer: Asks for sealed answers; `nil` takes open ones.
    ///   - now: The present moment.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)``.
    public init(
        _ route: HandoffRoute,
        schemas: ClosedRange<Int>,
        maximumSize: Int = 64 << 20,
        storage: URL,
        sealer: (any HandoffSealer)?,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) throws(HandoffError) {
        (self.route, self.sealer, self.now) = (route, sealer, now)
        requirements = HandoffRequirements(receiver: route.receiver, schemas: schemas, maximumSize: maximumSize)
        self.storage = storage.appending("DataHandoff")
        try FileSystem.makeFolder(self.storage)
        record = try FileSystem.load(Record.self, "receiver", in: self.storage) ?? Record()
    }
}

// MARK: - Links

extension HandoffReceiver {
    /// Asks for the data. Open the address that this returns; the sender answers with another one.
    public func request() throws(HandoffError) -> URL {
        var key: (privateKey: Data, publicKey: Data)?
        do { key = try sealer?.makeKey() } catch { throw .notSealed }
        let nonce = Data((0..<HandoffLink.nonceLength).map { _ in UInt8.random(in: 0...255) })
        removeOldRequests()
        record.requests.append(
            Record.Request(nonce: nonce, made: now(), privateKey: key?.privateKey, publicKey: key?.publicKey)
        )
        try save()
        return try HandoffLink.request(nonce: nonce, publicKey: key?.publicKey).url(scheme: route.returnScheme)
    }

    /// Takes an address or a file that the system opened the app with.
    ///
    /// - Parameters:
    ///   - url: The address, or the file.
    ///   - app: The bundle identifier of the app that opened it, as the system names it. A file may come from any app.
    /// - Returns: What it brought. Nothing is written where the app's data is.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    public func open(_ url: URL, from app: String?) async throws(HandoffError) -> Arrival {
        if url.isFileURL { return .offer(try await open(fileAt: url)) }
        if let old = route.oldAddress, let file = try old.fileIfItsOwn(in: url.absoluteString) {
            try route.check(app, is: route.sender)
            let package = try HandoffPackage(
                files: [(route.oldFileName, file)],
                schema: requirements.schemas.lowerBound,
                from: route.sender,
                to: route.receiver,
                created: now()
            )
            return .offer(try offer(package, nonce: nil))
        }
        guard case .answer(let nonce, let bytes) = try HandoffLink.parse(url.absoluteString, scheme: route.scheme)
        else {
            throw .notALink
        }
        try route.check(app, is: route.sender)
        guard let nonce else { return .invitation }
        removeOldRequests()
        guard let place = record.requests.firstIndex(where: { $0.nonce == nonce }) else { throw .unrequested }
        let request = record.requests.remove(at: place)
        try save()
        if request.publicKey != nil { guard HandoffPackage.isSealed(bytes) ?? true else { throw .openAnswer } }
        // A package without files may say which one in the shared folder is meant. Its own schema says nothing then.
        var looseRequirements = requirements
        looseRequirements.schemas = 0...requirements.schemas.upperBound
        let package = try read(bytes, answering: request, for: looseRequirements)
        if package.manifest.files.isEmpty, let folder = route.group.map(HandoffFolder.init(in:)),
            try folder.holds(package.manifest.transfer)
        {
            return .offer(try open(folder.manifest(package.manifest.transfer, for: requirements), nonce: nonce))
        }
        try requirements.check(package.manifest)
        return .offer(try offer(package, nonce: nonce))
    }

    /// Reads a package, and opens it with the keys of a request if it is sealed.
    private func read(
        _ bytes: Data,
        answering request: Record.Request,
        for requirements: HandoffRequirements
    ) throws(HandoffError) -> HandoffPackage {
        guard let sealer, let privateKey = request.privateKey, let publicKey = request.publicKey else {
            return try HandoffPackage(bytes: bytes, for: requirements)
        }
        let exchange = Exchange(nonce: request.nonce, route: route)
        return try HandoffPackage(bytes: bytes, for: requirements) { box, header throws(HandoffError) in
            try exchange.open(box, header: header, key: (privateKey, publicKey), sealer)
        }
    }

    private func removeOldRequests() {
        let moment = now()
        record.requests.removeAll { request in
            let age = moment.milliseconds - request.made.milliseconds
            return !(0..<Self.requestLifetime * 1_000 ~= age)
        }
    }
}

// MARK: - Files and folders

extension HandoffReceiver {
    /// Takes a package from a file, such as one that came by the share sheet. A sealed one must answer a request of the last ten
    /// minutes.
    ///
    /// The file may be in iCloud or belong to another app's file provider. On Apple's platforms it is read with
    /// `NSFileCoordinator`, which may take as long as a download.
    ///
    /// - Parameter file: The file. It stays where it is.
    /// - Returns: The offer.
    /// - Throws: ``HandoffError``. ``HandoffError/fileFailed(path:reason:)`` if the file can't be downloaded.
    public func open(fileAt file: URL) async throws(HandoffError) -> HandoffOffer {
        // A sealed or a compressed package is hardly larger than its files.
        let overhead = HandoffPackage.maximumManifestLength + 1 << 20
        let limit = min(requirements.maximumSize, .max - overhead) + overhead
        let bytes = try await FileSystem.contents(ofChosenFile: file, atMost: limit)
        guard HandoffPackage.isSealed(bytes) == true else {
            return try offer(HandoffPackage(bytes: bytes, for: requirements), nonce: nil)
        }
        // A file doesn't say which request it answers.
        removeOldRequests()
        for (place, request) in record.requests.enumerated() {
            let package: HandoffPackage
            do { package = try read(bytes, answering: request, for: requirements) } catch {
                guard error == .sealed else { throw error }
                continue
            }
            record.requests.remove(at: place)
            try save()
            return try offer(package, nonce: request.nonce)
        }
        throw .sealed
    }

    /// What is in the folder that both apps share: each package that this app can take, and why not of everything else.
    public func packages() -> [(name: String, manifest: Result<HandoffManifest, HandoffError>)] {
        route.group.map { HandoffFolder(in: $0).packages(for: requirements) } ?? []
    }

    /// Takes a package from the folder that both apps share.
    ///
    /// - Parameter manifest: One of ``packages()``.
    /// - Returns: The offer.
    /// - Throws: ``HandoffError``.
    public func open(_ manifest: HandoffManifest) throws(HandoffError) -> HandoffOffer {
        try open(manifest, nonce: nil)
    }

    private func open(_ manifest: HandoffManifest, nonce: Data?) throws(HandoffError) -> HandoffOffer {
        guard let folder = route.group.map(HandoffFolder.init(in:)) else { throw .noGroup }
        return try offer(manifest, nonce: nonce) { file, place throws(HandoffError) in
            try FileSystem.copy(folder.file(file.name, of: manifest), to: place, atMost: file.length)
        }
    }

    private func offer(_ package: HandoffPackage, nonce: Data?) throws(HandoffError) -> HandoffOffer {
        var contents = package.contents.makeIterator()
        return try offer(package.manifest, nonce: nonce) { file, place throws(HandoffError) in
            try FileSystem.write(contents.next() ?? Data(), to: place)
            return (file.length, file.sha256)
        }
    }

    /// Stages a package: writes its files into the app's own storage, flushes and checks them.
    private func offer(
        _ manifest: HandoffManifest,
        nonce: Data?,
        _ write: (HandoffManifest.File, URL) throws(HandoffError) -> (length: Int, sha256: String)
    ) throws(HandoffError) -> HandoffOffer {
        // The same package may be offered twice, and each offer has files of its own.
        let name = UUID().uuidString
        let staged = storage.appending("staged/" + name)
        stagedHere.insert(name)
        do throws(HandoffError) {
            try FileSystem.makeFolder(staged)
            for file in manifest.files {
                let place = staged.appending(file.name)
                try FileSystem.makeFolder(place.deletingLastPathComponent())
                let (length, sha256) = try write(file, place)
                guard length >= file.length else { throw .truncated }
                guard length == file.length else { throw .trailingBytes }
                guard sha256 == file.sha256 else { throw .corrupt }
            }
            try FileSystem.flushAll(staged)
        } catch {
            try? FileSystem.remove(staged)
            throw error
        }
        return HandoffOffer(
            manifest: manifest,
            wasTakenBefore: record.transfers.contains(manifest.transfer),
            isOlderThanTaken: record.newest.map { manifest.created < $0 } ?? false,
            staged: staged,
            note: HandoffReceipt.Note(digest: manifest.digest, transfer: manifest.transfer, nonce: nonce),
            receiver: self
        )
    }
}

// MARK: - What was taken

extension HandoffReceiver {
    /// Completes what a crash has interrupted. Call it at launch, before anything opens the files.
    ///
    /// - Parameter destination: The folder that packages are installed into.
    /// - Returns: The receipts that aren't out yet.
    /// - Throws: ``HandoffError`` if it can't be completed now. Then everything is as it was before.
    public func recover(in destination: URL) throws(HandoffError) -> [HandoffReceipt] {
        let staged = storage.appending("staged")
        // An address may have opened the app, so that there is an offer before this is called.
        for name in try FileSystem.names(in: staged) where !stagedHere.contains(name) {
            try FileSystem.remove(staged.appending(name))
        }
        var receipts: [HandoffReceipt] = []
        for installation in try Installation.recover(in: destination) {
            guard let note = try? JSONDecoder().decode(HandoffReceipt.Note.self, from: installation.note) else {
                throw .invalidManifest
            }
            receipts.append(try receipt(note, installation))
        }
        return receipts
    }

    func install(
        _ offer: HandoffOffer,
        into destination: URL,
        replacing: Bool
    ) throws(HandoffError) -> HandoffReceipt {
        guard let note = try? JSONEncoder().encode(offer.note) else { throw .invalidManifest }
        let installation = try Installation.install(
            offer.manifest,
            from: offer.staged,
            into: destination,
            replacing: replacing,
            note: note
        )
        return try take(offer, installation)
    }

    /// Remembers a package that was taken, and makes its receipt.
    ///
    /// The data is in its place already. So what can't be remembered or removed now is no error: at worst the person is asked
    /// again, and the next launch removes what was staged.
    func take(_ offer: HandoffOffer, _ installation: Installation?) throws(HandoffError) -> HandoffReceipt {
        record.newest = max(record.newest ?? offer.manifest.created, offer.manifest.created)
        record.transfers = (record.transfers + [offer.manifest.transfer]).suffix(100)
        try? save()
        try? FileSystem.remove(offer.staged)
        return try receipt(offer.note, installation)
    }

    private func receipt(
        _ note: HandoffReceipt.Note,
        _ installation: Installation?
    ) throws(HandoffError) -> HandoffReceipt {
        if let group = route.group { try? HandoffFolder(in: group).writeReceipt(note) }
        let url = try note.nonce.map { nonce throws(HandoffError) in
            try HandoffLink.receipt(nonce: nonce, digest: note.digest).url(scheme: route.returnScheme)
        }
        return HandoffReceipt(url: url, installation: installation)
    }

    private func save() throws(HandoffError) { try FileSystem.save(record, as: "receiver", in: storage) }
}
