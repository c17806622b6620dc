import ReferralFoundation

/// The receiver's message that a transfer has arrived, as the sender sees it.
///
/// Offer to delete the data only if ``isProven`` is `true` and ``HandoffSender/hasChanged(since:)`` returns `false`.
public struct HandoffConfirmation: Sendable, Equatable {
    /// The identifier of the transfer.
    public let transfer: String

    /// Whether the receiver certainly has the data.
    ///
    /// It is `true` if the receipt was in the folder that both apps share. On a link, it is `true` only if the receipt contains the
    /// proof that a sealed answer was opened, and the system named the expected app as the one that opened the link. If it is
    /// `false`, somebody else may have sent the receipt.
    public let isProven: Bool

    /// The digests of the files that were sent, by their names.
    let digests: [String: String]
}

/// A sent package. The sender keeps this record until a proven receipt arrives.
struct SentPackage: Codable, Equatable, Sendable {
    /// The nonce of the request that the package answers.
    let nonce: Data?
    let transfer: String
    let digest: String
    /// The proof that the receipt must contain, if the answer is sealed.
    let proof: Data?
    /// The digests of its files, by their names.
    let files: [String: String]

    init(_ manifest: HandoffManifest, nonce: Data?, proof: Data?) {
        transfer = manifest.transfer
        digest = manifest.digest
        self.nonce = nonce
        self.proof = proof
        files = Dictionary(manifest.files.map { ($0.name, $0.sha256) }) { $1 }
    }

    /// Whether this app can have written the record, which names a folder to remove.
    var isWhole: Bool { HandoffManifest.isTransfer(transfer) && HandoffManifest.isDigest(digest) }

    func confirmation(isProven: Bool) -> HandoffConfirmation {
        HandoffConfirmation(transfer: transfer, isProven: isProven, digests: files)
    }
}
