#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Seals a package, so that only the app that asked for it can read it.
///
/// The keys are X25519's, and the cipher is ChaCha20-Poly1305 with a key that HKDF-SHA256 makes of the shared secret.
/// `CryptoKitSealer` is the one on Apple's platforms.
public protocol HandoffSealer: Sendable {
    /// A fresh private key and its public key, 32 bytes each.
    func makeKey() throws -> (privateKey: Data, publicKey: Data)

    /// Encrypts: returns the nonce, the ciphertext and the tag.
    func seal(_ data: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data

    /// Decrypts what ``seal(_:privateKey:peer:info:authenticating:)`` returned.
    func open(_ box: Data, privateKey: Data, peer: Data, info: Data, authenticating header: Data) throws -> Data
}

/// What both apps know of one exchange.
struct Exchange {
    let nonce: Data
    let route: HandoffRoute

    /// Seals a body for the app with a public key. The sender's fresh public key comes first.
    func seal(_ body: Data, header: Data, for receiver: Data, _ sealer: any HandoffSealer) throws(HandoffError) -> Data
    {
        do {
            let (privateKey, publicKey) = try sealer.makeKey()
            let info = info(receiver, publicKey)
            return publicKey
                + (try sealer.seal(body, privateKey: privateKey, peer: receiver, info: info, authenticating: header))
        } catch {
            throw .notSealed
        }
    }

    func open(
        _ box: Data,
        header: Data,
        key: (privateKey: Data, publicKey: Data),
        _ sealer: any HandoffSealer
    ) throws(HandoffError) -> Data {
        let peer = Data(box.prefix(HandoffLink.publicKeyLength))
        let sealed = Data(box.dropFirst(HandoffLink.publicKeyLength))
        let info = info(key.publicKey, peer)
        do {
            return try sealer.open(sealed, privateKey: key.privateKey, peer: peer, info: info, authenticating: header)
        } catch {
            throw .sealed
        }
    }

    /// `RBH1`, the nonce, the receiver's and the sender's public key, the sender's and the receiver's bundle identifier, each
    /// after its length in two bytes.
    private func info(_ receiver: Data, _ sender: Data) -> Data {
        let parts = [Data("RBH1".utf8), nonce, receiver, sender, Data(route.sender.utf8), Data(route.receiver.utf8)]
        return parts.reduce(Data()) { $0 + [UInt8($1.count >> 8 & 255), UInt8($1.count & 255)] + $1 }
    }
}
