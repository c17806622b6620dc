import ReferralBridge
import Signing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whose signatures count.
enum Signers {
    static let form = "a public key is 32 bytes in base64, as 'referral-tool key --public FILE' prints it"

    @Sendable static func publicKey(_ text: String) -> Data? {
        // Without bits after the last byte, as the reader on the web has it.
        Data(base64Encoded: text).flatMap { $0.count == 32 && $0.base64EncodedString() == text ? $0 : nil }
    }

    /// What checks signatures by these keys.
    static func verifier(for publicKeys: [Data]) throws(ToolError) -> any SignatureVerifier {
        do { return try makeVerifier(for: publicKeys) } catch { throw .signing(error) }
    }
}
