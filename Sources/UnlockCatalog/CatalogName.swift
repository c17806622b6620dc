/// A name in a catalog: of an item, an unlock, a product, a reward or an event.
///
/// Each kind of name has a type of its own, so that a product can't be passed where an item is expected. Write names as
/// literals, or create them from text:
///
/// ```swift
/// let state = unlocks.state(of: "gold")
/// let purchase = try await unlocks.buy(ItemID(text))
/// ```
///
/// Names are compared, sorted and hashed by the bytes of their UTF-8. Swift compares strings by Unicode's canonical
/// equivalence instead, so a composed and a decomposed letter would be the same name. Names in a catalog are 1 to 256
/// bytes long, so a name of any other length is unknown.
public protocol CatalogName: RawRepresentable<String>, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible, CustomDebugStringConvertible
{
    /// Creates a name. Any text is accepted.
    init(rawValue: String)
}

// Hashing a string of a few hundred kilobytes of combining marks would take minutes, because Swift sorts the marks first.
extension CatalogName {
    /// Creates a name. Any text is accepted.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.init(rawValue: text)
    }

    /// Creates a name.
    public init(stringLiteral text: String) { self.init(rawValue: text) }

    /// The name as text.
    public var description: String { rawValue }

    /// The name as a literal.
    public var debugDescription: String { "\"\(rawValue.shown)\"" }

    /// Whether two names consist of the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
    }

    /// Whether the bytes of the first name come before those of the second one.
    public static func < (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.lexicographicallyPrecedes($0) } }
    }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        // UTF-8 never contains this byte, so two consecutive names hash differently if the boundary between them moves.
        hasher.combine(0xFF as UInt8)
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let bytes = rawValue.utf8
        return bytes.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes(body)
    }
}

/// The name of an item in the catalog, its `id`.
public struct ItemID: CatalogName {
    /// The name as text.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of an unlock: of something that an item or a reward opens, or gives an amount of.
public struct UnlockID: CatalogName {
    /// The name as text.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The identifier of a product in the store.
public struct ProductID: CatalogName {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of a reward in the catalog, its `id`.
public struct RewardID: CatalogName {
    /// The name as text.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of an event that the app records, and for which rewards may wait: the `after` of a reward in the catalog.
public struct EventName: CatalogName {
    /// The name as text.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
}
