package import ReferralBridge

extension PrivateKey {
    /// Signs a referral.
    ///
    /// - Returns: The value of its parameter `sig`: base64url without padding.
    package func sign(_ referral: Referral, for appID: AppID) throws(SigningError) -> String {
        Base64.encode(try signature(for: referral.signedMessage(for: appID)), .url)
    }
}
