extension CatalogItem {
    /// A platform, by the name that a catalog and the store give it.
    public struct Platform: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name, such as `iOS`.
        public let rawValue: String

        /// iPhone and iPad.
        public static let iOS: Platform = "iOS"
        /// The Mac.
        public static let macOS: Platform = "macOS"
        /// Apple TV.
        public static let tvOS: Platform = "tvOS"
        /// Apple Vision.
        public static let visionOS: Platform = "visionOS"

        /// Creates a platform with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a platform with a name.
        public init(stringLiteral name: String) { rawValue = name }
    }
}
