public import ReferralFoundation

/// Seals a package, so that only the app that asked for it can read it.
///
/// The keys are X25519 keys. The cipher is ChaCha20-Poly1305, with a key that HKDF-SHA256 derives from the shared
/// secret. ``HandoffSealing/system`` uses CryptoKit's.
public protocol HandoffSealer: Sendable {
    /// A fresh private key and its public key, 32 bytes each.
    func makeKey() throws -> (privateKey: Data, publicKey: Data)

    /// Encrypts data. Returns the nonce, the ciphertext and the tag.
    func seal(_ data: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data

    /// Decrypts the result of ``seal(_:privateKey:peer:info:authenticating:)``.
    func open(_ box: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data

    /// Derives the proof of a receipt: 16 bytes that HKDF-SHA256, without a salt, derives from the shared secret and
    /// the info.
    func proof(privateKey: Data, peer: Data, info: Data) throws -> Data
}

/// One app's side of a sealed answer to one request.
struct Exchange {
    static let proofLength = 16

    private let nonce: Data
    private let route: HandoffRoute
    private let sealer: any HandoffSealer
    /// This app's own private key, and the other app's public key.
    private let privateKey, peer: Data
    /// Both apps' public keys.
    private let receiver, sender: Data

    /// Creates the sender's side, with a fresh key.
    init(
        answering nonce: Data,
        of receiver: Data,
        _ route: HandoffRoute,
        _ sealer: any HandoffSealer
    ) throws(HandoffError) {
        do { (privateKey, sender) = try sealer.makeKey() } catch { throw .notSealed }
        self.nonce = nonce
        self.route = route
        self.sealer = sealer
        self.receiver = receiver
        peer = receiver
    }

    /// Creates the receiver's side, for a sealed package that answers its request.
    init(
        opening bytes: Data,
        _ nonce: Data,
        _ key: (privateKey: Data, publicKey: Data),
        _ route: HandoffRoute,
        _ sealer: any HandoffSealer
    ) {
        self.nonce = nonce
        self.route = route
        self.sealer = sealer
        privateKey = key.privateKey
        receiver = key.publicKey
        sender = Data(bytes.dropFirst(HandoffPackage.headerLength).prefix(HandoffLink.publicKeyLength))
        peer = sender
    }

    /// Seals a body. The sender's public key comes first.
    func seal(_ body: Data, header: Data) throws(HandoffError) -> Data {
        let info = info("RBH1")
        do {
            return sender
                + (try sealer.seal(body, privateKey: privateKey, peer: peer, info: info, authenticating: header))
        } catch {
            throw .notSealed
        }
    }

    func open(_ box: Data, header: Data) throws(HandoffError) -> Data {
        let (sealed, info) = (Data(box.dropFirst(HandoffLink.publicKeyLength)), info("RBH1"))
        do {
            return try sealer.open(sealed, privateKey: privateKey, peer: peer, info: info, authenticating: header)
        } catch {
            throw .sealed
        }
    }

    /// Returns the proof that the app with the request's key has opened the package whose manifest has this digest.
    ///
    /// - Throws: ``HandoffError/notSealed``.
    func proof(of digest: String) throws(HandoffError) -> Data {
        let digits = digest.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        let info = info("RBR1", Data(bytes))
        do { return try sealer.proof(privateKey: privateKey, peer: peer, info: info) } catch { throw .notSealed }
    }

    /// The purpose, the nonce, the receiver's and the sender's public key, the sender's and the receiver's bundle
    /// identifier, and the last arguments, each preceded by its length in two bytes.
    private func info(_ purpose: String, _ last: Data...) -> Data {
        let identifiers = [Data(route.sender.utf8), Data(route.receiver.utf8)]
        let parts = [Data(purpose.utf8), nonce, receiver, sender] + identifiers + last
        return parts.reduce(Data()) { $0 + [UInt8($1.count >> 8 & 255), UInt8($1.count & 255)] + $1 }
    }
}
