public struct PurchaseIntent: Identifiable, Sendable {
    public let product: Product

    public var id: Product.ID { product.id }

    public static var intents: Changes<PurchaseIntent> { Changes(stream: feed.listen()) }

    // MARK: For tests

    public static let feed = Feed<PurchaseIntent>()

    public init(product: Product) { self.product = product }
}

public struct Storefront: Identifiable, Sendable {
    public let id: String
    public let countryCode: String

    public static var updates: Changes<Storefront> { Changes(stream: feed.listen()) }

    // MARK: For tests

    public static let feed = Feed<Storefront>()

    public init(id: String, countryCode: String) { (self.id, self.countryCode) = (id, countryCode) }
}

/// What happens outside of the app, for all who listen.
public struct Changes<Element: Sendable>: AsyncSequence, Sendable {
    let stream: AsyncStream<Element>

    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator { stream.makeAsyncIterator() }
}
