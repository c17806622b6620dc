public import ReferralFoundation

/// The files and user defaults that an app sends, and the version of its data.
public struct HandoffContents: Sendable {
    /// The app's own version number of the data.
    public var schema: Int

    /// A file to send.
    public struct File: Sendable, Hashable {
        /// Its name in the package, a relative path such as `boards/trestle.json`.
        public var name: String
        /// Where it is.
        public var url: URL

        /// Creates a file.
        public init(_ name: String, at url: URL) {
            self.name = name
            self.url = url
        }
    }

    /// The files.
    public var files: [File]

    /// The user defaults; `nil`, the default, without any.
    public var defaults: HandoffDefaults?

    /// The property list with the user defaults, once a sender has made it; `nil` without any.
    var defaultsList: Data?

    /// Creates contents.
    public init(schema: Int, files: [File], defaults: HandoffDefaults? = nil) {
        self.schema = schema
        self.files = files
        self.defaults = defaults
    }
}

/// The app that sends data.
///
/// ```swift
/// let sender = try HandoffSender(route, storage: applicationSupport) {
///     HandoffContents(schema: 3, files: [.init("boards.sqlite", at: copyOfTheDatabase)])
/// }
/// switch try await sender.receive(url, from: sourceApplication) {
/// case .request(let delivery): …         // ask the user, and then call delivery.send()
/// case .receipt(let receipt): …          // if it is proven and nothing has changed since, the data may be deleted here
/// }
/// ```
///
/// It sends only to its own route's addresses, never to an address from a link.
public actor HandoffSender {
    /// The message in an address.
    public enum Message: Sendable {
        /// The receiver asks for the data.
        case request(HandoffDelivery)
        /// The receiver reports that it has the data.
        case receipt(HandoffConfirmation)
    }

    private static let maximumSent = 32

    let route: HandoffRoute
    let storage: URL
    let clock: DeviceClock
    let sealer: (any HandoffSealer)?
    private let allowsOpenLinks: Bool
    private let contents: @Sendable () async throws -> HandoffContents
    /// The packages without a proven receipt.
    private let sent: Stored<[SentPackage]>

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - route: The two apps.
    ///   - storage: A folder of the app's own. It is created if it doesn't exist. On iOS, an app group's container is
    ///     a bad place for it: the system ends an app that is suspended while it works there.
    ///   - sealing: How packages for links are sealed. The default uses CryptoKit.
    ///   - allowsOpenLinks: Whether a package may travel openly on a link, readable by any app that has registered the
    ///     scheme.
    ///   - clock: The clock that the sender uses.
    ///   - contents: Makes the contents when they are requested.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)``, or ``HandoffError/noSealer`` if the system can't seal.
    public init(
        _ route: HandoffRoute,
        storage: URL,
        sealing: HandoffSealing = .system,
        allowsOpenLinks: Bool = false,
        clock: DeviceClock = .system,
        contents: @escaping @Sendable () async throws -> HandoffContents
    ) throws(HandoffError) {
        self.route = route
        self.allowsOpenLinks = allowsOpenLinks
        self.clock = clock
        self.contents = contents
        sealer = try sealing.sealer()
        self.storage = storage.appending(InstallationFolder.storageName)
        try FileSystem.makeOwnFolder(self.storage)
        sent = Stored(name: "sender", folder: self.storage, initial: [])
        _ = try sent.value()
    }

    /// Reads an address with which the system opened the app.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - app: The bundle identifier of the app that opened it, as the system names it. A universal link may come from any app.
    ///   - acceptsUnnamedApps: Whether an address with the app's own scheme counts if the system doesn't name the app that opened
    ///     it, because it is of another team, or because SwiftUI doesn't pass its name on.
    /// - Returns: The message. Nothing is sent until the app sends the delivery.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    public func receive(
        _ url: URL,
        from app: String?,
        acceptsUnnamedApps: Bool = false
    ) async throws(HandoffError) -> Message {
        let opener = HandoffRoute.Opener(app: app, expected: route.receiver, acceptsUnnamed: acceptsUnnamedApps)
        switch try route.parse(url, from: opener, [.request, .receipt]) {
        case .request(let nonce, let key):
            // A receiver that asked for a sealed answer rejects an open one, even one that only opens the app.
            guard key == nil || sealer != nil else { throw .notSealed }
            var carriers: [HandoffCarrier] = route.group == nil ? [] : [.group]
            if key != nil || allowsOpenLinks { carriers.append(.link) }
            let contents = try await makeContents()
            return .request(
                HandoffDelivery(
                    contents: contents,
                    totalLength: try length(of: contents),
                    carriers: carriers + [.file],
                    nonce: nonce,
                    publicKey: key,
                    sender: self
                )
            )
        case .receipt(let nonce, let digest, let proof):
            return .receipt(try confirm(nonce, digest, proof, from: app))
        case .answer:
            throw .notALink
        }
    }

    /// Invites the receiver to request the data: *Export to Trestle*.
    ///
    /// - Returns: The address to open. It doesn't contain the data.
    public func invitation() throws(HandoffError) -> URL {
        // The receiver doesn't accept a package without a request, so the package is empty.
        try route.url(.answer(nonce: nil, package: emptyPackage().bytes()))
    }

    /// Makes the contents, unless no receiver would accept them.
    func makeContents() async throws(HandoffError) -> HandoffContents {
        let made = try await currentContents()
        try FileNames.check(made.files.map(\.name))
        let own = try FileSystem.realPath(storage)
        for file in made.files {
            let path = try FileSystem.realPath(ofPlanned: file.url)
            if LibraryFiles.isReached(by: path) || FileNames.isSame(path, orInside: own) {
                throw .invalidName(file.name)
            }
        }
        let count = made.files.count + (made.defaultsList == nil ? 0 : 1)
        guard count > 0 else { throw .noFiles }
        guard count <= HandoffRequirements.defaultFileCount else { throw .tooManyFiles }
        return made
    }

    private func length(of contents: HandoffContents) throws(HandoffError) -> Int {
        var length = contents.defaultsList?.count ?? 0
        for file in contents.files { length += try OpenFile<HandoffError>(reading: file.url).length() }
        return length
    }

    private func currentContents() async throws(HandoffError) -> HandoffContents {
        var made: HandoffContents
        do { made = try await contents() } catch { throw .appFailed(String(describing: error)) }
        made.defaultsList = try made.defaults?.list()
        return made
    }
}

// MARK: - Receipts

extension HandoffSender {
    /// The new receipts in the folder that both apps share. Each is returned once, and its package is removed, unless that can't be
    /// saved, as on a full disk: then it is returned again.
    ///
    /// - Returns: The confirmations, which are all proven.
    /// - Throws: ``HandoffError``.
    public func confirmations() throws(HandoffError) -> [HandoffConfirmation] {
        guard let folder = route.folder else { return [] }
        var confirmations: [HandoffConfirmation] = []
        for package in try sent.value().filter(\.isWhole) where try folder.hasReceipt(of: package) {
            try? forget(package)
            confirmations.append(package.confirmation(isProven: true))
        }
        return confirmations
    }

    /// Whether the data has changed since it was sent, so that the receiver doesn't have all of it. Never delete
    /// changed data.
    ///
    /// - Parameter confirmation: The confirmation of the transfer.
    /// - Returns: Whether the app's current contents differ from those that were sent.
    /// - Throws: ``HandoffError`` if the contents can't be made or read. Keep the data then.
    public func hasChanged(since confirmation: HandoffConfirmation) async throws(HandoffError) -> Bool {
        let now = try await currentContents()
        let defaults = now.defaultsList.map { SHA256.digest($0).hexadecimal }
        guard confirmation.digests[HandoffDefaults.fileName] == defaults,
            now.files.count + (defaults == nil ? 0 : 1) == confirmation.digests.count
        else { return true }
        for file in now.files {
            let (name, url) = (file.name, file.url)
            try FileSystem.checkDatabase(at: url, named: name)
            guard let sent = confirmation.digests[name],
                try FileSystem.copy(url, to: nil, atMost: .max).sha256 == sent
            else { return true }
        }
        return false
    }

    private func confirm(
        _ nonce: Data,
        _ digest: String,
        _ proof: Data?,
        from app: String?
    ) throws(HandoffError) -> HandoffConfirmation {
        let package = try sent.value().last { $0.isWhole && $0.nonce == nonce && $0.digest == digest }
        guard let package, proof == nil || proof == package.proof else { throw .unrequested }
        var isProven = proof != nil && app?.utf8.elementsEqual(route.receiver.utf8) == true
        if let folder = route.folder, try folder.hasReceipt(of: package) { isProven = true }
        // Anybody may have sent an unproven receipt, so the package isn't forgotten: the receiver's own may still come.
        if isProven { try? forget(package) }
        return package.confirmation(isProven: isProven)
    }

    func remember(_ package: SentPackage) throws(HandoffError) {
        try sent.change { sent in sent = (sent + [package]).suffix(Self.maximumSent) }
    }

    /// Forgets a package that has arrived, and removes it from the shared folder.
    private func forget(_ package: SentPackage) throws(HandoffError) {
        try sent.change { sent in sent.removeAll { $0.transfer.utf8.elementsEqual(package.transfer.utf8) } }
        try? route.folder?.discard(package.transfer)
    }
}
