import ReferralFoundation

/// The data that a receiver saves between launches.
struct ReceiverRecord: Codable, Equatable, Sendable {
    struct Request: Codable, Equatable, Sendable {
        let nonce: Data
        let made: Timestamp
        let privateKey: Data?
        let publicKey: Data?

        var isWhole: Bool {
            nonce.count == HandoffLink.nonceLength && (privateKey == nil) == (publicKey == nil)
        }
    }

    /// The time that a request waits for its answer, in milliseconds: ten minutes.
    private static let requestLifetime = 600_000.0
    private static let maximumRequests = 16
    private static let maximumAccepted = 100

    /// The requests without an answer, the latest last.
    private(set) var requests: [Request] = []
    /// The creation date of the newest accepted package whose date wasn't in the future.
    private var newest: Timestamp?
    /// The digests of the last accepted packages' manifests.
    private var accepted: [String] = []

    // MARK: Requests

    /// Removes expired requests with their private keys, and requests that this app can't have written.
    mutating func removeOldRequests(at moment: Timestamp) {
        requests.removeAll { request in
            let age = moment.milliseconds - request.made.milliseconds
            return !request.isWhole || !(0..<Self.requestLifetime ~= age)
        }
        requests = requests.suffix(Self.maximumRequests)
    }

    mutating func add(_ request: Request) { requests = (requests + [request]).suffix(Self.maximumRequests) }

    /// Removes the request with a nonce, and returns whether there was one.
    mutating func useUp(_ nonce: Data) -> Bool {
        let count = requests.count
        requests.removeAll { $0.nonce == nonce }
        return requests.count < count
    }

    // MARK: Packages

    /// Records an accepted package. A creation date in the future isn't recorded, since it is wrong.
    mutating func add(_ manifest: HandoffManifest, at moment: Timestamp) {
        if manifest.created <= moment, !isOlder(manifest, at: moment) { newest = manifest.created }
        accepted = (accepted.filter { !$0.utf8.elementsEqual(manifest.digest.utf8) } + [manifest.digest])
            .suffix(Self.maximumAccepted)
    }

    /// Whether this same package was accepted before.
    func hasAccepted(_ manifest: HandoffManifest) -> Bool {
        // By the bytes, since the record may be a stranger's: Swift's own comparison can take minutes.
        accepted.contains { $0.utf8.elementsEqual(manifest.digest.utf8) }
    }

    /// Whether a newer package was accepted. A recorded date that is in the future doesn't count: the clock was ahead.
    func isOlder(_ manifest: HandoffManifest, at moment: Timestamp) -> Bool {
        newest.map { $0 <= moment && manifest.created < $0 } ?? false
    }
}
