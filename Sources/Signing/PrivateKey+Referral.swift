package import ReferralBridge

extension PrivateKey {
    /// Signs a referral.
    ///
    /// - Returns: The value of its parameter `sig`: base64url without padding.
    package func sign(_ referral: Referral, for appID: AppID) throws(SigningError) -> String {
        let signature = [UInt8](try signature(for: referral.signedMessage(for: appID)))
        let count = EncodedData.encodedCount(signature.count)
        return String(unsafeUninitializedCapacity: count) { output in
            signature.withUnsafeBufferPointer { EncodedData.encode($0, into: output) }
            return count
        }
    }
}
