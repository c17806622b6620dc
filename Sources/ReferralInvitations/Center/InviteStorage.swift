/// Stores the file of an ``InviteCenter``. Tests use one in memory that fails on demand.
///
/// In an app, it never runs on the main actor.
package protocol InviteStorage: AnyObject, Sendable {
    /// Opens the file. From then on, nobody else can open it.
    ///
    /// - Returns: The file's bytes; `nil` if it doesn't exist yet.
    func open() throws(InvitesError) -> [UInt8]?

    /// Replaces the file as a whole, and returns once it is on the disk. If it throws, the file is the old one or the new
    /// one.
    func save(_ bytes: [UInt8]) throws(InvitesError)

    /// Keeps a copy of a damaged file for inspection.
    func keepAside(_ bytes: [UInt8]) throws(InvitesError)
}
