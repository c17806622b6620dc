#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The place of the journal and of the content. Tests have one in memory that fails when it is told to.
///
/// Nothing of it runs on the main actor of an app.
package protocol UnlocksStorage: Sendable {
    /// Opens the journal, which nobody else can open from then on.
    ///
    /// - Returns: All of it; empty if it didn't exist.
    func openJournal() async throws(UnlocksError) -> [UInt8]

    /// Writes lines behind the first bytes of the journal, in the place of what is there.
    ///
    /// - Returns: Whether they are on the disk. If not, the file can't be used any more, for example since somebody has
    ///   removed it, and the journal must be replaced.
    /// - Throws: Why they can't be written. The journal is what it was then.
    func appendToJournal(_ lines: [UInt8], at length: Int) async throws(UnlocksError) -> Bool

    /// Replaces the journal as a whole. If it throws, the journal is what it was.
    ///
    /// If somebody has removed the journal and another process has made a new one, the lines of that one stay in front.
    ///
    /// - Returns: Its length, in bytes.
    func replaceJournal(_ bytes: [UInt8]) async throws(UnlocksError) -> Int

    /// Keeps a damaged journal for somebody to look at, unless the same one is kept already.
    func keepAside(_ bytes: [UInt8]) async throws(UnlocksError)

    /// Makes the folder for the content of one grant. It may be there already. It isn't complete from then on.
    func makeFolder(_ name: String) async throws(UnlocksError) -> URL

    /// Marks a folder as complete, with a description beside it.
    ///
    /// - Returns: Whether it is there, and nobody has removed it or made it again since this process made it.
    func completeFolder(_ name: String, _ description: String) async throws(UnlocksError) -> Bool

    /// The names of the complete folders.
    func completeFolders() async throws(UnlocksError) -> Set<String>

    /// Removes a folder. It may be gone.
    func removeFolder(_ name: String) async throws(UnlocksError)
}
