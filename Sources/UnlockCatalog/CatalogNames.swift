/// The kinds of names that belong to no type of the catalog.
public enum NameKind {
    /// An unlock.
    public enum Unlock {}
    /// A product in the store.
    public enum Product {}
    /// An event.
    public enum Event {}
    /// A platform.
    public enum Platform {}
}

/// The name of an item in the catalog, its `id`.
public typealias ItemID = Identifier<CatalogItem>

/// The name of an unlock: of something that an item or a reward opens, or gives an amount of.
public typealias UnlockID = Identifier<NameKind.Unlock>

/// The identifier of a product in the store.
public typealias ProductID = Identifier<NameKind.Product>

/// The name of a reward in the catalog, its `id`.
public typealias RewardID = Identifier<CatalogReward>

/// The name of an event that the app records, and for which rewards may wait: the `after` of a reward in the catalog.
public typealias EventName = Identifier<NameKind.Event>

extension CatalogItem {
    /// A platform, by the name that a catalog and the store give it, such as `iOS`.
    public typealias Platform = Identifier<NameKind.Platform>
}

extension CatalogItem.Platform {
    /// iPhone and iPad.
    public static var iOS: Self { "iOS" }
    /// The Mac.
    public static var macOS: Self { "macOS" }
    /// Apple TV.
    public static var tvOS: Self { "tvOS" }
    /// Apple Vision.
    public static var visionOS: Self { "visionOS" }
}
