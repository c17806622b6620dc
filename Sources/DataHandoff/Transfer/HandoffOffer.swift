public import ReferralFoundation

/// A complete package that has arrived. Show its contents to the user, and ask for a decision.
///
/// An offer is decided once: a second decision, or one at the same time, throws ``HandoffError/alreadyDecided`` and changes
/// nothing. After an error, the offer can be decided again.
public struct HandoffOffer: Sendable {
    /// The package's manifest.
    public let manifest: HandoffManifest

    /// Whether this same package was accepted before.
    public let wasAcceptedBefore: Bool

    /// Whether a newer package was accepted before.
    public let isOlderThanAccepted: Bool

    /// The names of the user defaults that the package contains and the receiver accepts, sorted. They are set when the offer is
    /// installed or merged.
    public let defaultsKeys: [String]

    let staged: URL
    let note: HandoffReceipt.Note
    let receiver: HandoffReceiver

    /// Puts the files in place and sets the user defaults, all of them or none.
    ///
    /// SQLite's files beside a replaced database are also removed. Close the database before the call, and open it after
    /// that. After a crash, ``HandoffReceiver/recover(in:)`` puts back what was there.
    ///
    /// No package replaces what the other libraries have written in folders named `Unlocks`, `Invitations` and `ReferralBridge`. Under
    /// another name, their files aren't protected.
    ///
    /// - Parameters:
    ///   - destination: The folder for the files.
    ///   - replacing: Whether files with the same names are replaced. If not, an existing file is an error.
    /// - Returns: The receipt. The replaced files are kept until it is finished.
    /// - Throws: ``HandoffError``, such as ``HandoffError/fileExists(_:)``. You can try again. Nothing has changed then; what couldn't be
    ///   put back, such as on a full disk, is put back by ``HandoffReceiver/recover(in:)``.
    public func install(
        into destination: URL,
        replacing: Bool = true
    ) async throws(HandoffError) -> HandoffReceipt {
        try await receiver.install(self, into: destination, replacing: replacing)
    }

    /// Passes the files to the app's own code, which copies them, and then sets the user defaults.
    ///
    /// - Parameter copy: Copies the files from a folder. If it throws, the package doesn't count as accepted.
    /// - Returns: The receipt.
    /// - Throws: ``HandoffError/appFailed(_:)`` with the error of the code, or another ``HandoffError`` if the user defaults can't be
    ///   set. You can try again.
    public func merge(_ copy: @Sendable (_ folder: URL) async throws -> Void) async throws(HandoffError)
        -> HandoffReceipt
    {
        try await receiver.merge(self, copy)
    }

    /// Removes the offer's copy of the files. A package in the shared folder stays there, and the sender isn't notified.
    ///
    /// - Throws: ``HandoffError`` if the copy can't be removed now. ``HandoffReceiver/recover(in:)`` removes it at a later launch.
    public func decline() async throws(HandoffError) { try await receiver.decline(self) }
}

/// Tells the sender that its data arrived.
public struct HandoffReceipt: Sendable {
    /// The data of a receipt. After a crash it is read from the disk, and is checked like data from a stranger.
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

    /// The address to open, before you call ``finish()``. It is `nil` if the package doesn't answer a request.
    public let url: URL?

    let installation: Installation?

    /// Removes the replaced files. Call it after opening ``url``, or if that is `nil`.
    public func finish() throws(HandoffError) { try installation?.finish() }
}

/// The result of ``HandoffReceiver/recover(in:)``.
public struct HandoffRecovery: Sendable {
    /// The receipts of complete installations that weren't finished. Open their addresses, and finish them.
    public let receipts: [HandoffReceipt]

    /// Folders of installations that can't be undone, since their journal is damaged, or a file is in the place of a folder. They don't block
    /// anything.
    ///
    /// The new files are in `new`, and the replaced ones in `old`, as far as they exist. If the destination is on another volume, these two
    /// are in its folder `.handoff`, in a folder of the same name. The folders are in the receiver's storage, and are reported until the
    /// app removes them.
    public let damaged: [URL]
}
