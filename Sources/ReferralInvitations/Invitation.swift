public import ReferralFoundation

/// The address with which a person invites others.
///
/// ```swift
/// let invitation = try Invitation(landingPage: page, code: code)
/// invitation.address  // https://example.com/get?via=4F7K-9Q2M-XRKQ
/// ```
public struct Invitation: Sendable, Hashable {
    /// The address to share.
    public let address: URL

    /// The name of the person who invites, as in the address: a code, or a name of the app's own.
    public let referrer: String

    /// Creates an invitation with a code, as ``init(landingPage:referrer:destination:)`` does with a name.
    ///
    /// - Throws: ``InvitationError``.
    public init(landingPage: LandingPage, code: InviteCode, destination: String? = nil) throws(InvitationError) {
        try self.init(landingPage: landingPage, referrer: code.text, destination: destination)
    }

    /// Creates an invitation with a name of the app's own.
    ///
    /// - Parameters:
    ///   - landingPage: A page that the scanner knows. If its path names the referrer, as in `https://example.com/for/*`, so does
    ///     that of the invitation.
    ///   - referrer: The name of the person who invites.
    ///   - destination: A path in the app, such as `/boards/42`. Only a page with `open` among its
    ///     `parameterItems` hands it on.
    /// - Throws: ``InvitationError``.
    public init(landingPage: LandingPage, referrer: String, destination: String? = nil) throws(InvitationError) {
        let isInPath = landingPage.referrerPlace == .path
        guard landingPage.isPattern == isInPath else { throw .pageIsPattern }
        let isValid = (try? Referral(referrer: referrer)) != nil && !(isInPath && [".", ".."].contains(referrer))
        guard isValid else { throw .invalidReferrer }
        var items = isInPath ? [] : [(landingPage.referrerItem, referrer)]
        if let destination {
            guard Destination.checked(destination) != nil else { throw .invalidDestination }
            guard landingPage.parameterItems.contains(Destination.parameterName), !landingPage.opensPath else {
                throw .destinationNotHandedOn
            }
            items.append((Destination.parameterName, destination))
        }
        let page = landingPage.address[..<WebAddress(landingPage.address).path.endIndex]
        let text = isInPath ? page.dropLast() + PercentEncoding.encode(referrer, isInText: true) : page
        let pairs = items.map { PercentEncoding.encode($0) + "=" + PercentEncoding.encode($1, isInText: true) }
        guard let address = URL(string: text + (pairs.isEmpty ? "" : "?") + pairs.joined(separator: "&")) else {
            throw .pageIsPattern
        }
        self.address = address
        self.referrer = referrer
    }
}

/// The reason why an invitation has no address.
public enum InvitationError: String, Error, Sendable, Hashable, CustomStringConvertible {
    /// The landing page's address ends with `*`, and so stands for several pages, or its path is to name the referrer and doesn't.
    case pageIsPattern = "The landing page's address isn't the address of one page."
    /// The referrer is empty or too long, or a path can't contain it: `.` or `..`.
    case invalidReferrer = "The referrer is empty or too long."
    /// The destination isn't a path in the app.
    case invalidDestination = "The destination isn't a path in the app."
    /// The landing page doesn't hand on the item `open`, so the destination would be lost. Add it to the page's
    /// `parameterItems`, and to the page.
    case destinationNotHandedOn = "The landing page doesn't hand on the item open."

    /// A sentence suitable for a log.
    public var description: String { rawValue }
}
