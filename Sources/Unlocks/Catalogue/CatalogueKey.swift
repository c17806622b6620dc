import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The public key that an app pins, and what checks signatures with it.
struct CatalogueKey: Sendable {
    private static let length = 32
    private static let signatureLength = 64

    private let publicKey: Data
    private let verifier: any SignatureVerifier

    init(_ publicKey: Data, _ verifier: (any SignatureVerifier)?) throws(CatalogueLoader.LoadError) {
        guard publicKey.count == Self.length else { throw .invalidPublicKey }
        guard let verifier else { throw .noVerifier }
        (self.publicKey, self.verifier) = (publicKey, verifier)
    }

    /// Checks the text of a signature: 64 bytes in base64, with white space around them or without.
    func check(_ text: Data, for body: Data) throws(CatalogueLoader.LoadError) {
        let isSpace = { (byte: UInt8) in ASCII.isWhiteSpace(byte) }
        let base64 = Data(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard let signature = Data(base64Encoded: base64), signature.count == Self.signatureLength,
            verifier.isValid(signature, for: body, publicKey: publicKey)
        else { throw .wrongSignature }
    }
}
