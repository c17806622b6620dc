/// A campaign in App Store Connect, which counts its downloads: a provider token `pt` and a campaign token `ct`.
///
/// Downloads are counted only with both tokens. In an address, they are followed by `mt=8` (apps for iOS).
public struct Campaign: Sendable, Hashable {
    /// The longest ``campaignToken``, in bytes of UTF-8. StoreKit's documentation states 40. The form in App Store
    /// Connect accepts 30 characters.
    public static let maximumTokenLength = 40

    /// `pt`: the number of the developer's account in App Store Connect, digits only.
    public let providerToken: String

    /// `ct`: the campaign's name.
    public let campaignToken: String

    /// Creates a campaign.
    ///
    /// - Throws: ``StorePageError/emptyProviderToken``, ``StorePageError/invalidProviderToken(_:)`` or
    ///   ``StorePageError/invalidCampaignToken(byteCount:)``.
    public init(providerToken: String, campaignToken: String) throws(StorePageError) {
        guard !providerToken.isEmpty else { throw .emptyProviderToken }
        guard providerToken.utf8.allSatisfy(ASCII.isDigit) else { throw .invalidProviderToken(providerToken) }
        guard 1...Self.maximumTokenLength ~= campaignToken.utf8.count else {
            throw .invalidCampaignToken(byteCount: campaignToken.utf8.count)
        }
        self.providerToken = providerToken
        self.campaignToken = campaignToken
    }
    /// The missing and the present token, if there is only one.
    package static func loneToken(hasProvider: Bool, hasCampaign: Bool) -> (missing: String, present: String)? {
        hasProvider == hasCampaign ? nil : hasProvider ? ("ct", "pt") : ("pt", "ct")
    }
}
