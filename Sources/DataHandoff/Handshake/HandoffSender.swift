public import Foundation

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
/// case .request(let delivery): …         // ask the person, then open delivery.url()
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
    private let contents: @Sendable () async throws -> HandoffContents
    private var sent: [Sent]

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - route: The two apps.
    ///   - storage: A folder of the app's own. It is made if it isn't there.
    ///   - sealer: Seals packages for links.
    ///   - allowsOpenLinks: Whether a package may travel openly on a link, for whoever has registered the scheme to read.
    ///   - contents: Makes the contents when they are asked for.
    /// - Throws: ``HandoffError/fileFailed(path:reason:)``.
    public init(
        _ route: HandoffRoute,
        storage: URL,
        sealer: (any HandoffSealer)?,
        allowsOpenLinks: Bool = false,
        contents: @escaping @Sendable () async throws -> HandoffContents
    ) throws(HandoffError) {
        (self.route, self.sealer, self.allowsOpenLinks, self.contents) = (route, sealer, allowsOpenLinks, contents)
        self.storage = storage.appending("DataHandoff")
        try FileSystem.makeFolder(self.storage)
        let data = try? Data(contentsOf: self.storage.appending("sender.json"))
        sent = data.flatMap { try? JSONDecoder().decode([Sent].self, from: $0) } ?? []
    }

    /// Takes an address that the system opened the app with.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - app: The bundle identifier of the app that opened it, as the system names it.
    /// - Returns: What it brought. Nothing is sent until the delivery's address is opened.
    /// - Throws: ``HandoffError``. ``HandoffError/notALink`` if the address is for other code.
    public func open(_ url: URL, from app: String?) async throws(HandoffError) -> Arrival {
        let link = try HandoffLink.parse(url.absoluteString, scheme: route.returnScheme)
        try route.check(app, is: route.receiver)
        switch link {
        case .request(let nonce, let key):
            guard key != nil && sealer != nil || allowsOpenLinks && key == nil else { throw .notSealed }
            return .request(HandoffDelivery(try await makePackage(), nonce: nonce, publicKey: key, sender: self))
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
        let package = try HandoffPackage(files: [], schema: 0, from: route.sender, to: route.receiver)
        return try HandoffLink.answer(nonce: nil, package: package.bytes()).url(scheme: route.scheme)
    }

    /// Puts the data into the folder that both apps share.
    ///
    /// - Returns: What the package holds.
    /// - Throws: ``HandoffError``. ``HandoffError/notAPackage`` if the route has no such folder.
    public func sendToGroup() async throws(HandoffError) -> HandoffManifest {
        guard let group = route.group else { throw .notAPackage }
        let (folder, contents) = (HandoffFolder(in: group), try await makeContents())
        try folder.removeUnfinished()
        return try folder.write(files: contents.files, schema: contents.schema, from: route.sender, to: route.receiver)
    }

    /// Makes a package for a file, such as one for the share sheet. It isn't sealed.
    public func makePackage() async throws(HandoffError) -> HandoffPackage {
        let contents = try await makeContents()
        var files: [(name: String, contents: Data)] = []
        for (name, url) in contents.files {
            try FileSystem.checkDatabase(at: url, named: name)
            do { files.append((name, try Data(contentsOf: url))) } catch {
                throw .fileFailed(path: name, reason: String(describing: error))
            }
        }
        return try HandoffPackage(files: files, schema: contents.schema, from: route.sender, to: route.receiver)
    }

    private func makeContents() async throws(HandoffError) -> HandoffContents {
        do { return try await contents() } catch { throw .appFailed(String(describing: error)) }
    }

    /// The bytes of a package for a link, which are remembered until the receipt comes.
    func send(_ delivery: HandoffDelivery, _ codec: HandoffPackage.Codec) throws(HandoffError) -> URL {
        let (package, exchange) = (delivery.package, Exchange(nonce: delivery.nonce, route: route))
        let bytes: Data
        if let key = delivery.publicKey, let sealer {
            bytes = try package.bytes(codec: codec) { body, header throws(HandoffError) in
                try exchange.seal(body, header: header, for: key, sealer)
            }
        } else {
            bytes = try package.bytes(codec: codec)
        }
        guard bytes.count <= delivery.maximumLinkSize else { throw .tooLargeForLink }
        let manifest = package.manifest
        sent = (sent + [Sent(nonce: delivery.nonce, transfer: manifest.transfer, digest: manifest.digest)]).suffix(100)
        try save()
        do { return try HandoffLink.answer(nonce: delivery.nonce, package: bytes).url(scheme: route.scheme) } catch {
            throw error == .linkTooLong ? .tooLargeForLink : error
        }
    }

    private func save() throws(HandoffError) { try FileSystem.save(sent, as: "sender", in: storage) }
}

/// Data that the receiver has asked for. Ask the person, then open its address.
public struct HandoffDelivery: Sendable {
    /// What is sent.
    public var manifest: HandoffManifest { package.manifest }

    /// The largest package on a link, in bytes; 100,000 by default. An address never has more than 1,000,000.
    public var maximumLinkSize = 100_000

    let package: HandoffPackage
    let nonce: Data
    let publicKey: Data?
    let sender: HandoffSender

    init(_ package: HandoffPackage, nonce: Data, publicKey: Data?, sender: HandoffSender) {
        (self.package, self.nonce, self.publicKey, self.sender) = (package, nonce, publicKey, sender)
    }

    /// Returns the address that brings the data to the receiver. Open it once the person has agreed.
    ///
    /// - Parameter codec: How to write the contents.
    /// - Returns: The address.
    /// - Throws: ``HandoffError/tooLargeForLink`` if the data needs a shared folder or a file.
    public func url(codec: HandoffPackage.Codec = .stored) async throws(HandoffError) -> URL {
        try await sender.send(self, codec)
    }
}
