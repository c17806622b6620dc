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
    /// - Throws: ``StorePageError/invalidPart(name:problem:)``.
    public init(providerToken: String, campaignToken: String) throws(StorePageError) {
        guard !providerToken.isEmpty else { throw .invalid("pt", "The provider token pt is empty.") }
        guard providerToken.utf8.allSatisfy(ASCII.isDigit) else {
            let isExponent = providerToken.utf8.contains(UInt8(ascii: "E"))
            let hint: Sentence = isExponent ? " A spreadsheet changed it: format its column as text." : ""
            throw .invalid("pt", "The provider token pt is “\(name: providerToken)”; it must be digits only.\(hint)")
        }
        let length = campaignToken.utf8.count
        guard 1...Self.maximumTokenLength ~= length else {
            throw .invalid("ct", "The campaign token ct has \(length) bytes; it must have 1 to 40.")
        }
        self.providerToken = providerToken
        self.campaignToken = campaignToken
    }

    /// The missing and the present token, if there is only one.
    package static func loneToken(hasProvider: Bool, hasCampaign: Bool) -> (missing: String, present: String)? {
        hasProvider == hasCampaign ? nil : hasProvider ? ("ct", "pt") : ("pt", "ct")
    }
}
