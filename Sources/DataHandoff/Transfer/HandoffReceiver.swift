public import ReferralFoundation

/// The app that receives data.
///
/// ```swift
/// let receiver = try HandoffReceiver(route, schemas: 1...3, storage: applicationSupport)
/// await open(try receiver.request())                                      // the sender answers with a link
/// if case .offer(let offer) = try await receiver.receive(url, from: sourceApplication) {
///     let receipt = try await offer.install(into: documents)              // after the user has agreed
/// }
/// ```
///
/// The app's data isn't changed until the user has agreed. Call ``recover(in:)`` at each launch, before anything opens
/// the files.
public actor HandoffReceiver {
    /// The message in an address or a file.
    public enum Message: Sendable {
        /// A package that was requested.
        case offer(HandoffOffer)
        /// The sender wants to send data without a request. Ask the user, and then make a ``request()``.
        case invitation
    }

    /// The largest size of all files together by default, in bytes: 64 MiB.
    public static let defaultMaximumSize = 64 << 20

    /// The request that a package answers.
    struct Answer {
        let nonce: Data
        /// The exchange of a sealed answer; otherwise `nil`.
        let exchange: Exchange?
    }

    let route: HandoffRoute
    let requirements: HandoffRequirements
    let defaults: HandoffDefaults?
    let storage: URL
    let clock: DeviceClock
    let record: Stored<ReceiverRecord>
    private let sealer: (any HandoffSealer)?
    /// The folders of the undecided offers' files.
    var undecided: Set<URL> = []

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - route: The two apps.
    ///   - schemas: The versions of the data that this app accepts.
    ///   - maximumSize: The largest size of all files together, in bytes; 64 MiB by default. A file that is longer isn't read.
    ///   - storage: A folder of the app's own, on the volume of its data. It is created if it doesn't exist. On iOS,
    ///     an app group's container is a bad place for it: the system ends an app that is suspended while it works there.
    ///   - defaults: The user defaults that this app accepts; none by default.
    ///   - sealing: How the answers are sealed. The default asks for answers that are sealed with CryptoKit.
    ///   - clock: The clock that the receiver uses.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)``, or ``HandoffError/noSealer`` if the system can't seal.
    public init(
        _ route: HandoffRoute,
        schemas: ClosedRange<Int>,
        maximumSize: Int = HandoffReceiver.defaultMaximumSize,
        storage: URL,
        defaults: HandoffDefaults? = nil,
        sealing: HandoffSealing = .system,
        clock: DeviceClock = .system
    ) throws(HandoffError) {
        self.route = route
        self.defaults = defaults
        self.clock = clock
        sealer = try sealing.sealer()
        requirements = HandoffRequirements(
            receiver: route.receiver,
            sender: route.sender,
            schemas: schemas,
            maximumSize: maximumSize
        )
        self.storage = storage.appending(InstallationFolder.storageName)
        try FileSystem.makeOwnFolder(self.storage)
        record = Stored(name: "receiver", folder: self.storage, initial: ReceiverRecord())
        _ = try record.value()
        // On a full disk, an expired key stays in the file, but can't open anything anymore.
        try? record.change { record in record.removeOldRequests(at: clock.now()) }
    }
}

// MARK: - Links

extension HandoffReceiver {
    /// Requests the data. Open the returned address; the sender answers with another address.
    public func request() throws(HandoffError) -> URL {
        var key: (privateKey: Data, publicKey: Data)?
        do { key = try sealer?.makeKey() } catch { throw .notSealed }
        let nonce = Data((0..<HandoffLink.nonceLength).map { _ in UInt8.random(in: 0...255) })
        try record.change { record in
            // The time isn't read earlier, since a request that another process makes meanwhile would seem to come from
            // the future.
            let moment = clock.now()
            record.removeOldRequests(at: moment)
            record.add(
                ReceiverRecord.Request(
                    nonce: nonce,
                    made: moment,
                    privateKey: key?.privateKey,
                    publicKey: key?.publicKey
                )
            )
        }
        return try route.url(.request(nonce: nonce, publicKey: key?.publicKey))
    }

    /// Reads an address or a file with which the system opened the app.
    ///
    /// - Parameters:
    ///   - url: The address, or the file.
    ///   - app: The bundle identifier of the app that opened it, as the system names it. A file and a universal link may come from
    ///     any app.
    ///   - acceptsUnnamedApps: Whether an address with the app's own scheme counts if the system doesn't name the app that opened
    ///     it, because it is of another team, or because SwiftUI doesn't pass its name on.
    /// - Returns: The message. The app's data isn't changed.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    public func receive(
        _ url: URL,
        from app: String?,
        acceptsUnnamedApps: Bool = false
    ) async throws(HandoffError) -> Message {
        if url.isFileURL { return .offer(try await receive(fileAt: url)) }
        let opener = HandoffRoute.Opener(app: app, expected: route.sender, acceptsUnnamed: acceptsUnnamedApps)
        if let old = route.oldAddress, let file = try old.fileIfItsOwn(in: url.absoluteString) {
            try opener.check()
            let package = try HandoffPackage(
                files: [(route.oldFileName, file)],
                schema: requirements.schemas.lowerBound,
                from: route.sender,
                to: route.receiver,
                created: clock.now()
            )
            return .offer(try offer(package, nil))
        }
        guard case .answer(let nonce, let bytes) = try route.parse(url, from: opener, [.answer]) else {
            throw .notALink
        }
        guard let nonce else { return .invitation }
        guard let request = try requests().first(where: { $0.nonce == nonce }) else { throw .unrequested }
        if request.publicKey != nil { guard HandoffPackage.isSealed(bytes) ?? true else { throw .openAnswer } }
        // A package without files refers to one in the shared folder. Its own schema has no meaning.
        var looseRequirements = requirements
        looseRequirements.schemas = .min...requirements.schemas.upperBound
        let (package, answer) = try read(bytes, answering: request, for: looseRequirements)
        let transfer = package.manifest.transfer
        if package.manifest.files.isEmpty {
            guard let folder = route.folder, try folder.holds(transfer) else { throw .packageMissing }
            return .offer(try useUp(nonce, for: open(folder.manifest(transfer, for: requirements), answering: answer)))
        }
        return .offer(try useUp(nonce, for: offer(package, answer)))
    }

    /// Reads the package that answers a request. If it is sealed, opens it with the keys of the request.
    private func read(
        _ bytes: Data,
        answering request: ReceiverRecord.Request,
        for requirements: HandoffRequirements
    ) throws(HandoffError) -> (HandoffPackage, Answer) {
        guard let sealer, let privateKey = request.privateKey, let publicKey = request.publicKey,
            HandoffPackage.isSealed(bytes) == true
        else {
            return (try HandoffPackage(bytes: bytes, for: requirements), Answer(nonce: request.nonce, exchange: nil))
        }
        let exchange = Exchange(opening: bytes, request.nonce, (privateKey, publicKey), route, sealer)
        let package = try HandoffPackage(bytes: bytes, for: requirements) { box, header throws(HandoffError) in
            try exchange.open(box, header: header)
        }
        return (package, Answer(nonce: request.nonce, exchange: exchange))
    }

    /// The requests that wait for their answers.
    private func requests() throws(HandoffError) -> [ReceiverRecord.Request] {
        try record.change { record in
            record.removeOldRequests(at: clock.now())
            return record.requests
        }
    }

    /// Removes an answered request. Until then, it can be answered again, for example after an error.
    private func useUp(_ nonce: Data, for offer: HandoffOffer) throws(HandoffError) -> HandoffOffer {
        do throws(HandoffError) {
            guard try record.change({ record in record.useUp(nonce) }) else { throw .unrequested }
        } catch {
            try? decline(offer)
            throw error
        }
        return offer
    }
}

// MARK: - Files

extension HandoffReceiver {
    /// Opens a package in a file, such as one from the share sheet. A sealed package must answer a request of the last
    /// ten minutes.
    ///
    /// The file may be in iCloud or belong to another app's file provider. On Apple's platforms it is read with
    /// `NSFileCoordinator`, which may take as long as a download.
    ///
    /// - Parameter file: The file. It stays where it is.
    /// - Returns: The offer.
    /// - Throws: ``HandoffError``. ``HandoffError/fileFailed(path:reason:)`` if the file can't be downloaded.
    public func receive(fileAt file: URL) async throws(HandoffError) -> HandoffOffer {
        // A sealed or a compressed package is hardly larger than its files.
        let overhead = HandoffPackage.maximumManifestLength + 1 << 20
        let limit = min(requirements.maximumSize, .max - overhead) + overhead
        let bytes = try await FileSystem.coordinateReading(file) { place throws(HandoffError) in
            try FileSystem.contents(of: place, atMost: limit)
        }
        guard HandoffPackage.isSealed(bytes) == true else {
            return try offer(HandoffPackage(bytes: bytes, for: requirements), nil)
        }
        // A file doesn't name the request that it answers.
        for request in try requests() {
            let (package, answer): (HandoffPackage, Answer)
            do { (package, answer) = try read(bytes, answering: request, for: requirements) } catch {
                guard error == .sealed else { throw error }
                continue
            }
            return try useUp(request.nonce, for: offer(package, answer))
        }
        throw .sealed
    }
}
