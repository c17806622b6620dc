#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How data travels from one app into the other.
public enum HandoffCarrier: Sendable, Hashable {
    /// Through the folder that both apps share. A link only opens the receiver.
    case group
    /// On the link itself.
    case link
    /// In a file that the person shares.
    case file
}

/// Data that the receiver has asked for. Ask the person, and then send it.
public struct HandoffDelivery: Sendable {
    /// What to do so that the data gets there.
    public enum Shipment: Sendable, Equatable {
        /// Open this address. It opens the receiver.
        case open(URL)
        /// Share this file.
        case share(URL)
    }

    /// What is sent.
    public let contents: HandoffContents

    /// How the data may travel, the best first. A link or a file isn't there if the list of the files is too long for it.
    public let carriers: [HandoffCarrier]

    /// How the data travels; `nil`, the default, takes the first of ``carriers`` that has room for it.
    public var carrier: HandoffCarrier?

    /// How the contents are written on a link. By default they are compressed, if this system can.
    public var codec = HandoffPackage.Codec.best

    /// The largest package on a link, in bytes; 100,000 by default. An address never has more than 1,000,000.
    public var maximumLinkSize = 100_000

    /// Whether a file is sealed, so that only the app that asked can read it, within ten minutes. By default it isn't.
    public var sealsFile = false

    let nonce: Data
    let publicKey: Data?
    let sender: HandoffSender

    init(contents: HandoffContents, carriers: [HandoffCarrier], nonce: Data, publicKey: Data?, sender: HandoffSender) {
        (self.contents, self.carriers, self.nonce, self.publicKey) = (contents, carriers, nonce, publicKey)
        self.sender = sender
    }

    /// The sizes of all files together, in bytes.
    public var totalLength: Int {
        contents.files.reduce(0) { total, file in
            if case .file(let length) = try? FileSystem.kind(of: file.url) { total + length } else { total }
        }
    }

    var tooLargeForLink: HandoffError { .tooLargeForLink(left: carriers.filter { $0 != .link }) }

    /// Sends the data. Call it once the person has agreed.
    ///
    /// - Returns: What to do so that it gets there.
    /// - Throws: ``HandoffError``. ``HandoffError/tooLargeForLink(left:)`` if ``carrier`` is a link and the data needs another one.
    public func send() async throws(HandoffError) -> Shipment { try await sender.send(self) }
}
