#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A package that arrived and is whole. Show the person what it holds, and ask.
///
/// An offer is decided once: a second decision, or one at the same time, throws ``HandoffError/alreadyDecided`` and changes
/// nothing. After an error, the offer can be decided again.
public struct HandoffOffer: Sendable {
    /// What the package holds.
    public let manifest: HandoffManifest

    /// Whether this very package was taken before.
    public let wasTakenBefore: Bool

    /// Whether a package that was taken before is newer than this one.
    public let isOlderThanTaken: Bool

    let staged: URL
    let note: HandoffReceipt.Note
    let receiver: HandoffReceiver

    /// Puts the files in place, all of them or none.
    ///
    /// What SQLite keeps beside a replaced database goes with it. After a crash ``HandoffReceiver/recover(in:)`` completes it.
    ///
    /// - Parameters:
    ///   - destination: The folder that the files come into.
    ///   - replacing: Whether files of the same names are replaced. If not, one that is there is an error.
    /// - Returns: The receipt. Until it is out, the files that were there before are kept.
    /// - Throws: ``HandoffError``, such as ``HandoffError/fileExists(_:)``. Then nothing has changed, and it can be tried again.
    public func install(
        into destination: URL,
        replacing: Bool = true
    ) async throws(HandoffError) -> HandoffReceipt {
        try await receiver.install(self, into: destination, replacing: replacing)
    }

    /// Hands the files to the app's own code, which copies from them.
    ///
    /// - Parameter copy: Takes the files from a folder. If it throws, nothing counts as taken.
    /// - Returns: The receipt.
    /// - Throws: ``HandoffError/appFailed(_:)`` with what the code has thrown. It can be tried again.
    public func merge(_ copy: @Sendable (_ folder: URL) async throws -> Void) async throws(HandoffError)
        -> HandoffReceipt
    {
        try await receiver.merge(self, copy)
    }

    /// Removes the package. The sender hears nothing.
    public func decline() async throws(HandoffError) { try await receiver.decline(self) }
}

/// Tells the sender that its data arrived.
public struct HandoffReceipt: Sendable {
    /// What a receipt contains. It is read back from the disk after a crash, so it is checked as if a stranger had written it.
    struct Note: Codable {
        let digest: String
        let transfer: String
        let nonce: Data?
        let proof: Data?

        var isWhole: Bool {
            HandoffManifest.isDigest(digest) && HandoffManifest.isTransfer(transfer)
                && [HandoffLink.nonceLength, nil].contains(nonce?.count)
                && [Exchange.proofLength, nil].contains(proof?.count)
        }
    }

    /// The address that tells it. Open it, and then call ``finish()``. It is `nil` if the package didn't come on a link.
    public let url: URL?

    let installation: Installation?

    /// Removes the files that were there before. Call it once the receipt is out, or needn't be.
    public func finish() throws(HandoffError) { try installation?.finish() }
}

/// The result of ``HandoffReceiver/recover(in:)``.
public struct HandoffRecovery: Sendable {
    /// The receipts of complete installations that weren't finished. Open their addresses, and finish them.
    public let receipts: [HandoffReceipt]

    /// Folders of installations that can't be completed or undone, since their journal is damaged. They block nothing.
    ///
    /// The new files are in `new`, and those that they replaced are in `old`, as far as they are there. The folders are in the
    /// receiver's storage, and are reported until the app removes them.
    public let damaged: [URL]
}
