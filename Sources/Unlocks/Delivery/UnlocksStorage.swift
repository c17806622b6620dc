#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Where the journal and the content are. Tests have one in memory that fails when it is told to.
@MainActor
package protocol UnlocksStorage: AnyObject {
    /// The whole journal; empty if it doesn't exist yet.
    func readJournal() throws(UnlocksError) -> [UInt8]

    /// Writes a line at the end. If it throws, the journal is what it was; when it returns, the line is on the disk.
    func appendToJournal(_ line: [UInt8]) throws(UnlocksError)

    /// Replaces the journal as a whole.
    func replaceJournal(_ bytes: [UInt8]) throws(UnlocksError)

    /// Keeps a damaged journal for somebody to look at.
    func keepAside(_ bytes: [UInt8]) throws(UnlocksError)

    /// The folder for the content of one grant, with what it is for in a file beside it. It may be there already.
    func makeFolder(_ name: String, for description: String) throws(UnlocksError) -> URL

    /// The names of the folders that are there.
    func folderNames() throws(UnlocksError) -> Set<String>

    /// Removes such a folder. It may be gone.
    func removeFolder(_ name: String) throws(UnlocksError)
}
