/// What App Store Connect counts a campaign's downloads under: a provider token `pt` and a campaign token `ct`.
///
/// One without the other counts nothing. In an address `mt=8` (apps for iOS) goes with them.
public struct Campaign: Sendable, Hashable {
    /// The longest ``campaignToken``, in bytes of UTF-8. StoreKit's documentation says 40. The form in App Store
    /// Connect takes 30 characters.
    public static let maximumTokenLength = 40

    /// `pt`: the number that App Store Connect gave the developer's account.
    public let providerToken: String

    /// `ct`: the campaign's name.
    public let campaignToken: String

    /// Creates a campaign.
    ///
    /// - Throws: ``StorePageError/emptyProviderToken`` or ``StorePageError/invalidCampaignToken(byteCount:)``.
    public init(providerToken: String, campaignToken: String) throws(StorePageError) {
        guard !providerToken.isEmpty else { throw .emptyProviderToken }
        guard 1...Self.maximumTokenLength ~= campaignToken.utf8.count else {
            throw .invalidCampaignToken(byteCount: campaignToken.utf8.count)
        }
        self.providerToken = providerToken
        self.campaignToken = campaignToken
    }
    /// The token that is missing and the one that is present, if there is only one of them.
    package static func loneToken(hasProvider: Bool, hasCampaign: Bool) -> (missing: String, present: String)? {
        hasProvider == hasCampaign ? nil : hasProvider ? ("ct", "pt") : ("pt", "ct")
    }
}
