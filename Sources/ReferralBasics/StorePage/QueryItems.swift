/// The items of a query, split at `&` and at their first `=`, not decoded, and without empty items.
struct QueryItems<Text: Collection<UInt8>>: Sequence, IteratorProtocol where Text.SubSequence == Text {
    struct Item {
        /// The bytes between two `&`s.
        let bytes: Text
        private let nameEnd: Text.Index

        init(_ bytes: Text) {
            self.bytes = bytes
            nameEnd = bytes.firstIndex(of: ASCII.equals) ?? bytes.endIndex
        }

        var name: Text { bytes[..<nameEnd] }

        var value: Text { bytes[nameEnd...].dropFirst() }

        /// Compares names byte by byte, without decoding or case folding.
        func isNamed(_ name: StaticString) -> Bool {
            self.name.elementsEqual(name.utf8)
        }
    }

    private var rest: Text

    init(_ query: Text) {
        rest = query
    }

    /// The value of the last item with this name; `nil` if there is none.
    func lastValue(named name: StaticString) -> Text? {
        reduce(nil) { $1.isNamed(name) ? $1.value : $0 }
    }

    mutating func next() -> Item? {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: ASCII.ampersand) ?? rest.endIndex
            let bytes = rest[..<end]
            rest = rest[end...].dropFirst()
            if !bytes.isEmpty { return Item(bytes) }
        }
        return nil
    }
}
