package import ReferralFoundation

/// Stores the journal and the content. Tests use one in memory that fails on demand.
///
/// In an app, it never runs on the main actor.
package protocol UnlocksStorage: Sendable {
    /// Opens the journal. From then on, nobody else can open it.
    ///
    /// - Returns: The journal's bytes; empty if it didn't exist.
    func openJournal() async throws(UnlocksError) -> [UInt8]

    /// Replaces the journal as a whole, on the disk. If it throws, the journal is unchanged.
    func writeJournal(_ bytes: [UInt8]) async throws(UnlocksError)

    /// The folder for the content of one grant, whether or not it exists. The files beside it are those of ``ContentFolder``.
    nonisolated func folder(_ name: String) -> URL

    /// Creates the folder for the content of one grant, if it doesn't exist, and marks it as incomplete.
    func makeFolder(_ name: String) async throws(UnlocksError) -> URL

    /// Marks a folder as complete, with a description beside it.
    ///
    /// - Returns: Whether the folder still exists.
    func completeFolder(_ name: String, _ description: [UInt8]) async throws(UnlocksError) -> Bool

    /// The names of the complete folders.
    func completeFolders() async throws(UnlocksError) -> Set<String>

    /// Removes a folder, if it exists.
    func removeFolder(_ name: String) async throws(UnlocksError)
}
