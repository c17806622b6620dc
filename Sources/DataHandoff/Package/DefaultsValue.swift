package import ReferralFoundation

/// A value of user defaults, of one of a property list's types.
///
/// Foundation doesn't read the lists of packages, since it has no limit for a list that refers to its own parts again and
/// again.
package enum DefaultsValue: Sendable, Equatable {
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([DefaultsValue])
    /// Sorted by the bytes of the keys. Swift's dictionaries consider some different keys equal.
    case dictionary([Member])

    package struct Member: Sendable, Equatable {
        package let key: String
        package let value: DefaultsValue

        package init(_ key: String, _ value: DefaultsValue) {
            self.key = key
            self.value = value
        }
    }

    /// A dictionary; `nil` if a key is repeated.
    package init?(_ members: [Member]) {
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.key.utf8.elementsEqual(second.key.utf8) {
            return nil
        }
        self = .dictionary(sorted)
    }

    /// The members of a dictionary; `nil` if it isn't one.
    package var members: [Member]? { if case .dictionary(let members) = self { members } else { nil } }
}
