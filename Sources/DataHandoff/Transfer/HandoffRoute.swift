// Files from one app into another of the same developer, on a link, in a file or in a shared folder.
// Read HandoffRoute and HandoffPackage first, which say who may send what; then HandoffSender and HandoffReceiver, the two
// ends; then Installation, which changes everything or nothing, and InstallationFolder.recover, which undoes what a crash left.

@_exported public import ReferralAppSupport
public import ReferralFoundation

/// The sending and the receiving app, and their addresses.
public struct HandoffRoute: Sendable, Equatable {
    /// The bundle identifier of the sending app.
    public let sender: String

    /// The bundle identifier of the receiving app.
    public let receiver: String

    /// The receiver's own scheme, such as `trestle`.
    public let scheme: String

    /// The sender's own scheme, such as `trestle-lite`.
    public let returnScheme: String

    /// The domain of both apps' universal links, such as `example.com`; `nil`, the default, without one.
    ///
    /// With a domain, every link to the other app is a universal link, such as `https://example.com/handoff?n=…&h=…`.
    /// The system opens `/handoff` in the receiver, and `/handoff-request` and `/handoff-receipt` in the sender, as the
    /// domain's association file specifies. It doesn't name the app that opened a universal link, so that app isn't
    /// checked, but the answer reaches only the app that the domain belongs to. Links with the apps' own schemes are
    /// still accepted from the expected app.
    public var domain: String?

    /// The domain in ASCII, as addresses name it.
    private var host: String? { domain.map { HostName.ascii($0[...]) ?? $0 } }

    /// The folder that both apps share, such as the container of their app group; `nil` without one.
    public var group: URL?

    /// The packages in the folder that both apps share; `nil` without one.
    var folder: HandoffFolder? { group.map(HandoffFolder.init(in:)) }

    /// The address of the sender's older form, such as `myapp://localhost/importDatabase`, if the receiver also accepts
    /// it.
    public var oldAddress: OldAddress?

    /// The name to give to the file from the older form, such as `boards.sqlite`.
    public var oldFileName = "data"

    /// Creates a route.
    public init(from sender: String, to receiver: String, scheme: String, returnScheme: String, group: URL? = nil) {
        self.sender = sender
        self.receiver = receiver
        self.scheme = scheme
        self.returnScheme = returnScheme
        self.group = group
    }

    /// The address with a message for the other app.
    func url(_ link: HandoffLink) throws(HandoffError) -> URL {
        let address = try link.address(scheme: link.kind == .answer ? scheme : returnScheme, domain: host)
        guard let url = URL(string: address) else { throw .notALink }
        return url
    }

    /// Reads the message of an address, if the app accepts its kind. An address with a scheme must come from the
    /// expected opener.
    func parse(
        _ url: URL,
        from opener: Opener,
        _ kinds: Set<HandoffLink.Kind>
    ) throws(HandoffError) -> HandoffLink {
        let own = kinds.contains(.answer) ? scheme : returnScheme
        let link = try HandoffLink.parse(url.absoluteString, scheme: own, domain: host)
        guard kinds.contains(link.kind) else { throw .notALink }
        let isUniversal = WebAddress(url.absoluteString).location?.utf8.contains(ASCII.slash) ?? false
        if !isUniversal { try opener.check() }
        return link
    }

    /// The app that has opened an address.
    struct Opener {
        /// Its bundle identifier; `nil` if the system doesn't name it.
        let app: String?
        let expected: String
        /// Whether an address counts if the system doesn't name the app that opened it.
        let acceptsUnnamed: Bool

        /// Throws unless it is the expected app.
        func check() throws(HandoffError) {
            guard app != nil || !acceptsUnnamed else { return }
            // Compared by bytes: Swift considers some different characters equal.
            guard let app, !app.isEmpty, app.utf8.elementsEqual(expected.utf8) else { throw .unexpectedApp(app) }
        }
    }
}
