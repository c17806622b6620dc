#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which app sends, which one receives, and how each is reached.
public struct HandoffRoute: Sendable, Equatable {
    /// The bundle identifier of the app that sends.
    public let sender: String

    /// The bundle identifier of the app that receives.
    public let receiver: String

    /// The receiver's own scheme, such as `trestle`.
    public let scheme: String

    /// The sender's own scheme, such as `trestle-lite`.
    public let returnScheme: String

    /// The folder that both apps share, such as the container of their app group; `nil` without one.
    public var group: URL?

    /// The address of the sender's older form, such as `myapp://localhost/importDatabase`, if the receiver takes that too.
    public var oldAddress: OldAddress?

    /// The name of the file that the older form brings, such as `boards.sqlite`.
    public var oldFileName = "data"

    /// Whether an address counts whose sender the system doesn't name, since the other app is of another team.
    public var allowsUnnamedApps = false

    /// Creates a route.
    public init(from sender: String, to receiver: String, scheme: String, returnScheme: String, group: URL? = nil) {
        (self.sender, self.receiver) = (sender, receiver)
        (self.scheme, self.returnScheme, self.group) = (scheme, returnScheme, group)
    }

    /// Throws unless the system names the app that is expected.
    func check(_ app: String?, is expected: String) throws(HandoffError) {
        guard app != nil || !allowsUnnamedApps else { return }
        // Characters that Swift takes for equal don't make the same identifier.
        guard let app, !app.isEmpty, app.utf8.elementsEqual(expected.utf8) else { throw .unexpectedApp(app) }
    }
}
