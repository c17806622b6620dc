/// The items of a query, split at `&` and at their first `=`, not decoded, and without empty items.
struct QueryItems: Sequence, IteratorProtocol {
    struct Item {
        /// The bytes between two `&`s.
        let bytes: Slice<Bytes>
        private let nameEnd: Int

        init(_ bytes: Slice<Bytes>) {
            self.bytes = bytes
            nameEnd = bytes.firstIndex(of: ASCII.equals) ?? bytes.endIndex
        }

        var value: Slice<Bytes> {
            bytes[Swift.min(nameEnd + 1, bytes.endIndex)...]
        }

        /// Compares names byte by byte, without decoding or case folding.
        func isNamed(_ name: StaticString) -> Bool {
            bytes[..<nameEnd].elementsEqual(name.utf8)
        }
    }

    private var rest: Slice<Bytes>

    init(_ query: Slice<Bytes>) {
        rest = query
    }

    /// The value of the last item with this name; `nil` if there is none.
    func lastValue(named name: StaticString) -> Slice<Bytes>? {
        reduce(nil) { $1.isNamed(name) ? $1.value : $0 }
    }

    mutating func next() -> Item? {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: ASCII.ampersand) ?? rest.endIndex
            let bytes = rest[..<end]
            rest = rest[Swift.min(end + 1, rest.endIndex)...]
            if !bytes.isEmpty { return Item(bytes) }
        }
        return nil
    }
}
