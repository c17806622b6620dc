package import ReferralBasics

extension PrivateKey {
    /// Signs the claims of a referral.
    ///
    /// - Returns: The value of its parameter `sig`: base64url without padding.
    package func sign(_ claims: Claims, for appID: AppID) throws(SigningError) -> String {
        Base64.encode(try signature(for: claims.message(for: appID)), .url)
    }
}
