/// A name from outside, such as an item's identifier, that is compared and hashed by its bytes.
///
/// Swift compares strings by Unicode's canonical equivalence. So a composed and a decomposed letter would be the same
/// name. And hashing a few hundred kilobytes of combining marks would take minutes, because Swift sorts the marks
/// first.
package struct Name: Sendable {
    /// The longest name, in bytes of UTF-8, that is accepted from a catalog, a store, a referral or a journal.
    package static let maximumLength = 256

    /// The name as it was written.
    package let text: String

    /// Creates a name of any length. Texts from outside are checked with `isName` before they are kept.
    package init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(text.utf8).withUnsafeBytes(body)
    }
}

extension Name: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
    }

    package func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        // UTF-8 never contains this byte, so two consecutive names hash differently if the boundary between them moves.
        hasher.combine(0xFF as UInt8)
    }
}

extension Name: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.lexicographicallyPrecedes($0) } }
    }
}

extension Name: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension String {
    /// Whether the text can be a name from outside: 1 to 256 bytes long.
    package var isName: Bool { 1...Name.maximumLength ~= utf8.count }
}
