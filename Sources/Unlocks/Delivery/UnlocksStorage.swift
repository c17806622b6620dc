package import ReferralFoundation

/// Stores the journal and the content. Tests use one in memory that fails on demand.
///
/// In an app, it never runs on the main actor.
package protocol UnlocksStorage: Sendable {
    /// Opens the journal. From then on, nobody else can open it.
    ///
    /// - Returns: The journal's bytes; empty if it didn't exist.
    func openJournal() async throws(UnlocksError) -> [UInt8]

    /// Writes lines after the first `length` bytes of the journal, replacing the rest.
    ///
    /// - Returns: Whether the lines are on the disk. If not, the file can't be used anymore, for example because it was
    ///   removed, and the journal must be replaced.
    /// - Throws: Why the lines can't be written. The journal is unchanged.
    func appendToJournal(_ lines: [UInt8], at length: Int) async throws(UnlocksError) -> Bool

    /// Replaces the journal as a whole. If it throws, the journal is unchanged.
    ///
    /// If the journal was removed and another process has created a new one, the lines of the new one are kept in front.
    ///
    /// - Returns: Its length, in bytes.
    func replaceJournal(_ bytes: [UInt8]) async throws(UnlocksError) -> Int

    /// Keeps a copy of a damaged journal for inspection, unless the same one is already kept.
    func keepAside(_ bytes: [UInt8]) async throws(UnlocksError)

    /// The folder for the content of one grant, whether or not it exists. The files beside it are those of ``ContentFolder``.
    nonisolated func folder(_ name: String) -> URL

    /// Creates the folder for the content of one grant, if it doesn't exist, and marks it as incomplete.
    func makeFolder(_ name: String) async throws(UnlocksError) -> URL

    /// Marks a folder as complete, with a description beside it.
    ///
    /// - Returns: True if the folder exists and hasn't been removed or created again since this process created it.
    func completeFolder(_ name: String, _ description: String) async throws(UnlocksError) -> Bool

    /// Whether a folder is complete.
    func isComplete(_ name: String) async -> Bool

    /// The names of the complete folders.
    func completeFolders() async throws(UnlocksError) -> Set<String>

    /// Removes a folder, if it exists.
    func removeFolder(_ name: String) async throws(UnlocksError)
}
