/// The items of a query, split at `&` and at their first `=`, not decoded, and without empty items.
struct QueryItems: Sequence, IteratorProtocol {
    struct Item {
        /// The bytes between two `&`s.
        let bytes: Slice<Bytes>

        private var nameEnd: Int { bytes.place(of: ASCII.equals) ?? bytes.endIndex }

        var name: Slice<Bytes> { bytes[..<nameEnd] }

        var value: Slice<Bytes> { bytes[nameEnd...].dropFirst() }

        /// Compares names byte by byte, without decoding or case folding.
        func isNamed(_ name: StaticString) -> Bool {
            let end = bytes.startIndex + name.utf8CodeUnitCount
            guard end == bytes.endIndex || end < bytes.endIndex && bytes[end] == ASCII.equals else { return false }
            return bytes[..<end].isEqual(to: name.utf8)
        }
    }

    private var rest: Slice<Bytes>

    init(_ query: Slice<Bytes>) { rest = query }

    /// The value of the last item with this name; `nil` if there is none.
    func lastValue(named name: StaticString) -> Slice<Bytes>? {
        var value: Slice<Bytes>?
        for item in self where item.isNamed(name) { value = item.value }
        return value
    }

    mutating func next() -> Item? {
        while !rest.isEmpty {
            let end = rest.place(of: ASCII.ampersand) ?? rest.endIndex
            let bytes = rest[..<end]
            rest = rest[end...].dropFirst()
            if !bytes.isEmpty { return Item(bytes: bytes) }
        }
        return nil
    }
}
