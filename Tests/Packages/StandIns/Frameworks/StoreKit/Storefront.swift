/// https://developer.apple.com/documentation/storekit/storefront
@available(macOS 12.0, iOS 15.0, *)
public struct Storefront: Identifiable, Sendable {
    /// https://developer.apple.com/documentation/storekit/storefront/storefronts
    public struct Storefronts: AsyncSequence, Sendable {
        public typealias Element = Storefront

        public struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: AsyncStream<Element>.Iterator

            public mutating func next() async -> Storefront? { await iterator.next() }
        }

        let stream: AsyncStream<Element>

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }

    public let id: String
    public let countryCode: String

    public static var updates: Storefront.Storefronts { Storefronts(stream: feed.listen()) }

    // MARK: For tests

    package static let feed = Feed<Storefront>()

    package init(id: String, countryCode: String) {
        self.id = id
        self.countryCode = countryCode
    }
}
