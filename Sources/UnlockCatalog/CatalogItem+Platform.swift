extension CatalogItem {
    /// A platform, by the name that a catalog and the store give it.
    public struct Platform: RawRepresentable, Sendable, Hashable {
        /// The name, such as `iOS`.
        public let rawValue: String

        /// iPhone and iPad.
        public static let iOS = Platform(rawValue: "iOS")
        /// The Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")

        /// Creates a platform with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}
