/// A name of any other kind, such as a transaction's, a referrer's or a parameter's.
package struct Name: CatalogName {
    /// The longest name, in bytes of UTF-8, that is accepted from a catalog, a store, a referral or a journal.
    package static let maximumLength = 256

    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}

extension String {
    /// Whether the text can be a name from outside: 1 to 256 bytes long.
    package var isName: Bool { 1...Name.maximumLength ~= utf8.count }
}
