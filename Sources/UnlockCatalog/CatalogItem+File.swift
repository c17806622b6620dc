public import ReferralFoundation

extension CatalogItem {
    /// A file that belongs to an item.
    public struct File: Sendable, Hashable {
        /// The relative path in the folder of the item's content, such as `boards/gold.json`.
        public let path: String
        /// The `https` address.
        public let url: URL
        /// The length, in bytes.
        public let length: Int
        /// The SHA-256 digest: 64 hexadecimal digits in lower case.
        public let sha256: String
    }
}

extension CatalogItem.File {
    /// Reads a file, or throws its invalid member. The path isn't judged.
    init(_ members: Members) throws(WrongMember) {
        path = try members.required("path", .text)
        url = try members.required("url", .address)
        // Up to 1 TiB.
        length = try members.required("length", .number(0...1 << 40))
        sha256 = try members.required("sha256", .digest)
    }
}
