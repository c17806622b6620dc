/// https://developer.apple.com/documentation/storekit/storefront
public struct Storefront: Identifiable, Sendable {
    /// https://developer.apple.com/documentation/storekit/storefront/storefronts
    public typealias Storefronts = AsyncStream<Storefront>

    public let id: String
    public let countryCode: String

    public static var updates: Storefront.Storefronts { feed.listen() }

    // MARK: For tests

    package static let feed = Feed<Storefront>()

    package init(id: String, countryCode: String) {
        self.id = id
        self.countryCode = countryCode
    }
}
