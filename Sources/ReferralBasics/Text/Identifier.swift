/// A name of one kind: of an item, an unlock, a product, a reward or an event.
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
public struct Identifier<Kind>: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible, CustomDebugStringConvertible
{
    /// The name as text.
    public let rawValue: String

    /// Creates a name. Any text is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a name. Any text is accepted.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        rawValue = text
    }

    /// Creates a name.
    public init(stringLiteral text: String) { rawValue = text }

    /// The name as text.
    public var description: String { rawValue }

    /// The name as a literal.
    public var debugDescription: String { "\"\(rawValue.shown)\"" }

    /// Whether two names consist of the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.withUTF8Bytes { left in right.rawValue.withUTF8Bytes { left.elementsEqual($0) } }
    }

    /// Whether the bytes of the first name come before those of the second one.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.withUTF8Bytes { left in right.rawValue.withUTF8Bytes { left.lexicographicallyPrecedes($0) } }
    }

    // Hashing a string of a few hundred kilobytes of combining marks would take minutes, because Swift sorts the marks first.
    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) {
        rawValue.withUTF8Bytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // UTF-8 never contains this byte, so two consecutive names hash differently if the boundary between them moves.
        hasher.combine(0xFF as UInt8)
    }
}

/// A name of any other kind, such as a transaction's, a referrer's or a parameter's.
package typealias Name = Identifier<Any>

extension Name {
    /// The longest name, in bytes of UTF-8, that is accepted from a catalog, a store, a referral or a journal.
    package static var maximumLength: Int { 256 }
}

extension String {
    /// Whether the text can be a name from outside: 1 to 256 bytes long.
    package var isName: Bool { 1...Name.maximumLength ~= utf8.count }
}
