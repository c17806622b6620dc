public import ReferralBridge

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an app sends: its files, and the version of its data.
public struct HandoffContents: Sendable {
    /// The version of the data, as the app counts it.
    public var schema: Int

    /// The files' names and where they are.
    public var files: [(name: String, url: URL)]

    /// Creates contents.
    public init(schema: Int, files: [(name: String, url: URL)]) {
        (self.schema, self.files) = (schema, files)
    }
}

/// The app that data comes from.
///
/// ```swift
/// let sender = try HandoffSender(route, storage: applicationSupport, sealer: sealer) {
///     HandoffContents(schema: 3, files: [("boards.sqlite", copyOfTheDatabase)])
/// }
/// switch try await sender.open(url, from: sourceApplication) {
/// case .request(let delivery): …         // ask the person, and then call delivery.send()
/// case .receipt(let transfer): …         // the data has arrived, and may be removed here
/// }
/// ```
///
/// It sends to the address that it was built with, never to one from a link.
public actor HandoffSender {
    /// What an address brought.
    public enum Arrival: Sendable {
        /// The receiver asks for the data.
        case request(HandoffDelivery)
        /// The receiver has the data of the transfer with this identifier.
        case receipt(transfer: String)
    }

    /// A package that was sent and has no receipt yet.
    private struct Sent: Codable {
        let nonce: Data
        let transfer: String
        let digest: String
    }

    private let route: HandoffRoute
    private let storage: URL
    private let sealer: (any HandoffSealer)?
    private let allowsOpenLinks: Bool
    private let now: @Sendable () -> Timestamp
    private let contents: @Sendable () async throws -> HandoffContents
    private var sent: [Sent]

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - route: The two apps.
    ///   - storage: A folder of the app's own. It is made if it isn't there.
    ///   - sealer: Seals packages for links.
    ///   - allowsOpenLinks: Whether a package may travel openly on a link, for whoever has registered the scheme to read.
    ///   - now: The present moment.
    ///   - contents: Makes the contents when they are asked for.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)``.
    public init(
        _ route: HandoffRoute,
        storage: URL,
        sealer: (any HandoffSealer)?,
        allowsOpenLinks: Bool = false,
        now: @escaping @Sendable () -> Timestamp = { .now },
        contents: @escaping @Sendable () async throws -> HandoffContents
    ) throws(HandoffError) {
        (self.route, self.sealer, self.allowsOpenLinks) = (route, sealer, allowsOpenLinks)
        (self.now, self.contents) = (now, contents)
        self.storage = storage.appending("DataHandoff")
        try FileSystem.makeFolder(self.storage)
        sent = try FileSystem.load([Sent].self, "sender", in: self.storage) ?? []
    }

    /// Takes an address that the system opened the app with.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - app: The bundle identifier of the app that opened it, as the system names it.
    /// - Returns: What it brought. Nothing is sent until the app sends the delivery.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    public func open(_ url: URL, from app: String?) async throws(HandoffError) -> Arrival {
        switch try route.parse(url, from: app, expected: route.receiver, [.request, .receipt]) {
        case .request(let nonce, let key):
            // A receiver that asked for a sealed answer takes no open one, not even one that only opens it.
            guard key == nil || sealer != nil else { throw .notSealed }
            let contents = try await makeContents()
            let carriers = try self.carriers(for: contents, allowsLinks: key != nil || allowsOpenLinks)
            return .request(
                HandoffDelivery(contents: contents, carriers: carriers, nonce: nonce, publicKey: key, sender: self)
            )
        case .receipt(let nonce, let digest):
            guard let place = sent.firstIndex(where: { $0.nonce == nonce && $0.digest == digest }) else {
                throw .unrequested
            }
            let arrived = sent.remove(at: place)
            try save()
            return .receipt(transfer: arrived.transfer)
        case .answer:
            throw .notALink
        }
    }

    /// Offers the data to the receiver, which then asks for it: *Export to Trestle*.
    ///
    /// - Returns: The address to open. It carries nothing of the data.
    public func invitation() throws(HandoffError) -> URL {
        // The receiver takes no package that it hasn't asked for, so it is an empty one.
        try route.url(.answer(nonce: nil, package: emptyPackage().bytes()))
    }

    /// Puts the data into the folder that both apps share, without being asked for it.
    ///
    /// - Returns: What the package holds.
    /// - Throws: ``HandoffError``. ``HandoffError/noGroup`` if the route has no such folder.
    public func sendToGroup() async throws(HandoffError) -> HandoffManifest {
        try writeToGroup(await makeContents())
    }

    /// Writes the data into a file, such as one for the share sheet. It isn't sealed.
    ///
    /// - Returns: The file, in the app's own storage. The next call removes it.
    public func makeFile() async throws(HandoffError) -> URL { try write(makePackage(await makeContents()), nil) }
}

// MARK: - The carriers

extension HandoffSender {
    func send(_ delivery: HandoffDelivery) throws(HandoffError) -> HandoffDelivery.Shipment {
        if let carrier = delivery.carrier { return try send(delivery, by: carrier) }
        do { return try send(delivery, by: delivery.carriers[0]) } catch {
            guard case .tooLargeForLink(let left) = error, let next = left.first else { throw error }
            return try send(delivery, by: next)
        }
    }

    /// The carriers whose limit the list of files keeps, the best first.
    private func carriers(
        for contents: HandoffContents,
        allowsLinks: Bool
    ) throws(HandoffError) -> [HandoffCarrier] {
        var files: [HandoffManifest.File] = []
        for (name, url) in contents.files {
            guard case .file(let length) = try FileSystem.kind(of: url) else { continue }
            // Every digest is as long as this one.
            files.append(HandoffManifest.File(name: name, length: length, sha256: String(repeating: "0", count: 64)))
        }
        func fits(_ limit: Int) throws(HandoffError) -> Bool {
            do throws(HandoffError) {
                _ = try HandoffManifest(
                    transfer: UUID(),
                    created: now(),
                    from: route.sender,
                    to: route.receiver,
                    schema: contents.schema,
                    files: files,
                    maximumLength: limit
                )
                return true
            } catch {
                guard error == .listTooLong else { throw error }
                return false
            }
        }
        var carriers: [HandoffCarrier] = []
        if route.group != nil, try fits(HandoffFolder.maximumManifestLength) { carriers.append(.group) }
        if try fits(HandoffPackage.maximumManifestLength) { carriers += allowsLinks ? [.link, .file] : [.file] }
        guard !carriers.isEmpty else { throw .listTooLong }
        return carriers
    }

    private func send(
        _ delivery: HandoffDelivery,
        by carrier: HandoffCarrier
    ) throws(HandoffError) -> HandoffDelivery.Shipment {
        switch carrier {
        case .group:
            // A package without files says which one in the folder is meant.
            let manifest = try writeToGroup(delivery.contents)
            return .open(try address(for: delivery, emptyPackage(manifest.transfer), of: manifest))
        case .link:
            guard delivery.carriers.contains(.link) else {
                throw delivery.carriers.contains(.file) ? .notSealed : delivery.tooLargeForLink
            }
            // Data hardly ever shrinks to less than a sixteenth, so larger data isn't even read.
            guard delivery.totalLength / 16 <= delivery.maximumLinkSize else { throw delivery.tooLargeForLink }
            let package = try makePackage(delivery.contents)
            return .open(try address(for: delivery, package, of: package.manifest))
        case .file:
            let (package, seal) = (try makePackage(delivery.contents), delivery.sealsFile ? seal(for: delivery) : nil)
            // Patterns, since comparing a function with typed throws to `nil` needs iOS 18.
            if delivery.sealsFile, case .none = seal { throw .notSealed }
            let file = try write(package, seal)
            if case .some = seal { try awaitReceipt(for: delivery, package.manifest) }
            return .share(file)
        }
    }

    /// The address that brings a package to the receiver.
    private func address(
        for delivery: HandoffDelivery,
        _ package: HandoffPackage,
        of manifest: HandoffManifest
    ) throws(HandoffError) -> URL {
        let bytes = try package.bytes(codec: delivery.codec, seal: seal(for: delivery))
        guard bytes.count <= delivery.maximumLinkSize else { throw delivery.tooLargeForLink }
        let url: URL
        do { url = try route.url(.answer(nonce: delivery.nonce, package: bytes)) } catch {
            throw error == .linkTooLong ? delivery.tooLargeForLink : error
        }
        try awaitReceipt(for: delivery, manifest)
        return url
    }

    private func seal(for delivery: HandoffDelivery) -> HandoffPackage.Transform? {
        guard let key = delivery.publicKey, let sealer else { return nil }
        let exchange = Exchange(nonce: delivery.nonce, route: route)
        return { body, header throws(HandoffError) in try exchange.seal(body, header: header, for: key, sealer) }
    }

    private func awaitReceipt(for delivery: HandoffDelivery, _ manifest: HandoffManifest) throws(HandoffError) {
        let new = Sent(nonce: delivery.nonce, transfer: manifest.transfer, digest: manifest.digest)
        sent = (sent + [new]).suffix(100)
        try save()
    }

    private func writeToGroup(_ contents: HandoffContents) throws(HandoffError) -> HandoffManifest {
        guard let group = route.group else { throw .noGroup }
        let folder = HandoffFolder(in: group)
        try folder.removeUnfinished()
        return try folder.write(
            files: contents.files,
            schema: contents.schema,
            from: route.sender,
            to: route.receiver,
            created: now()
        )
    }

    private func write(_ package: HandoffPackage, _ seal: HandoffPackage.Transform?) throws(HandoffError) -> URL {
        let folder = storage.appending("files")
        try FileSystem.remove(folder)
        try FileSystem.makeFolder(folder)
        let file = folder.appending("\(package.manifest.transfer).\(HandoffPackage.fileExtension)")
        try FileSystem.write(package.bytes(codec: .best, seal: seal), to: file)
        return file
    }

    private func makePackage(_ contents: HandoffContents) throws(HandoffError) -> HandoffPackage {
        var files: [(name: String, contents: Data)] = []
        for (name, url) in contents.files {
            try FileSystem.checkDatabase(at: url, named: name)
            files.append((name, try FileSystem.contents(of: url)))
        }
        return try HandoffPackage(
            files: files,
            schema: contents.schema,
            from: route.sender,
            to: route.receiver,
            created: now()
        )
    }

    private func emptyPackage(_ transfer: String? = nil) throws(HandoffError) -> HandoffPackage {
        let transfer = transfer.flatMap(UUID.init(uuidString:)) ?? UUID()
        return try HandoffPackage(files: [], schema: 0, from: route.sender, to: route.receiver, transfer: transfer)
    }

    /// Makes the contents, unless no receiver would accept them.
    private func makeContents() async throws(HandoffError) -> HandoffContents {
        let made: HandoffContents
        do { made = try await contents() } catch { throw .appFailed(String(describing: error)) }
        try FileNames.check(made.files.map(\.name))
        guard !made.files.isEmpty else { throw .noFiles }
        guard made.files.count <= HandoffRequirements.defaultFileCount else { throw .tooManyFiles }
        return made
    }

    private func save() throws(HandoffError) { try FileSystem.save(sent, as: "sender", in: storage) }
}
