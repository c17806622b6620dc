import ReferralBridge
import Signing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signers whose links count.
enum Signers {
    static let form = "a public key is 32 bytes in base64, as 'referral-tool key --public FILE' prints it"

    @Sendable static func publicKey(_ text: String) -> Data? {
        Base64.decode(text.utf8, .standard).flatMap { $0.count == 32 ? Data($0) : nil }
    }

    /// The verifier for these keys.
    static func verifier(for publicKeys: [Data]) throws(ToolError) -> any SignatureVerifier {
        do { return try makeVerifier(for: publicKeys) } catch { throw .signing(error) }
    }
}
