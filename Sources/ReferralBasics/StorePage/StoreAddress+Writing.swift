extension StoreAddress {
    /// Replaces the items with these names by other items, which are added at the end of the query.
    ///
    /// Empty items (`&&`, a bare `?`) are removed. Everything else stays the same, byte for byte.
    ///
    /// - Parameters:
    ///   - names: The names of the items to remove, compared without decoding.
    ///   - items: Encoded items, such as `pt=9&ct=spring`, or an empty string.
    /// - Returns: The new address.
    func replacingItems(named names: [StaticString], with items: String = "") -> String {
        let capacity = base.count + query.count + items.utf8.count + fragment.count + 2
        return String(unsafeUninitializedCapacity: capacity) { buffer in
            var end = buffer.update(fromContentsOf: base)
            var separator = ASCII.questionMark
            func append(_ bytes: some Collection<UInt8>) {
                buffer[end] = separator
                end = buffer[(end + 1)...].update(fromContentsOf: bytes)
                separator = ASCII.ampersand
            }
            for item in self.items where !names.contains(where: item.isNamed) {
                append(item.bytes)
            }
            if !items.isEmpty { append(items.utf8) }
            return buffer[end...].update(fromContentsOf: fragment)
        }
    }
}
