public import ReferralFoundation

/// A way for data to get from one app to the other.
public enum HandoffCarrier: Sendable, Hashable {
    /// Through the folder that both apps share. A link only opens the receiver.
    case group
    /// On the link itself.
    case link
    /// In a file that the user shares.
    case file
}

/// Data that the receiver has requested. Ask the user, and then send it.
public struct HandoffDelivery: Sendable {
    /// The next step to deliver the data.
    public enum Shipment: Sendable, Equatable {
        /// Open this address. It opens the receiver.
        case open(URL)
        /// Share this file.
        case share(URL)
    }

    /// The contents to send.
    public let contents: HandoffContents

    /// The sizes of all files and of the user defaults together at the time of the request, in bytes.
    public let totalLength: Int

    /// The available carriers, the best first. On a link and in a file, a longer list of files than 64 KiB is an error.
    public let carriers: [HandoffCarrier]

    /// The carrier to use; `nil`, the default, uses the first of ``carriers`` that has room for the data.
    public var carrier: HandoffCarrier?

    /// The largest package on a link, in bytes. An address never has more than 1,000,000 bytes.
    package var maximumLinkSize = 100_000

    /// Whether a file is sealed, so that only the requesting app can read it, within ten minutes. The default is
    /// `false`.
    public var sealsFile = false

    let nonce: Data
    let publicKey: Data?
    let sender: HandoffSender

    var tooLargeForLink: HandoffError { .tooLargeForLink(left: carriers.filter { $0 != .link }) }

    /// Sends the data. Call it after the user has agreed.
    ///
    /// - Returns: The next step to deliver the data.
    /// - Throws: ``HandoffError``. ``HandoffError/tooLargeForLink(left:)`` if ``carrier`` is a link and the data
    ///   doesn't fit.
    public func send() async throws(HandoffError) -> Shipment { try await sender.send(self) }
}
