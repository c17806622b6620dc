package import ReferralFoundation

extension Referral {
    /// The parameter with the signature.
    package static let signatureName = "sig"

    /// The parameter with the end of the campaign.
    package static let endName = "until"

    /// A signature in base64url: 86 characters for 64 bytes.
    package static func signature(_ text: String) -> Data? {
        guard text.utf8.count == 86 else { return nil }
        return Base64.decode(text.utf8, .url).map { Data($0) }
    }

    /// The end of a campaign: Unix milliseconds, 12 to 16 digits without a leading zero.
    package static func campaignEnd(_ text: String) -> Int64? {
        let isNumber = 12...16 ~= text.utf8.count && text.utf8.allSatisfy(ASCII.isDigit)
        return isNumber && !text.hasPrefix("0") ? Int64(text) : nil
    }
}
