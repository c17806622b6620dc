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

        /// The largest number of files of an item.
        package static let maximumCount = 1_000
        /// The valid lengths, in bytes: up to 1 TiB.
        static let lengths = 0...(1 << 40)
    }
}

extension CatalogItem.File {
    /// Reads a file, or throws its invalid member. The path isn't judged.
    init(_ value: JSONValue) throws(ShopCatalog.WrongMember) {
        guard let object = value.object else { throw .notAnObject }
        let members = ShopCatalog.Members(object)
        path = try members.required("path", .text)
        url = try members.required("url", .address)
        length = try members.required("length", .length)
        sha256 = try members.required("sha256", .digest)
    }

    /// The invalid member of a file in an item; `nil` if there is none.
    package static func wrongMember(in json: [UInt8]) -> ShopCatalog.WrongMember? {
        json.withUnsafeBufferPointer { bytes in
            do throws(ShopCatalog.WrongMember) {
                guard let value = try? JSONValue(object: bytes) else { throw .notAnObject }
                _ = try Self(value)
            } catch {
                return error
            }
            return nil
        }
    }
}
