import Catalogues
import ReferralBridge

/// Where the items and the rewards of a catalogue begin in its text.
struct EntryOffsets {
    private var offsets: [Catalogue.Rejection.List: [Int]] = [:]

    init(_ bytes: [UInt8]) {
        let lists: [(name: StaticString, list: Catalogue.Rejection.List)] = [("items", .item), ("rewards", .reward)]
        bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes)
            // The catalogue was read before, so it is an object.
            try? reader.readObject { name, value, reader throws(ReferralError) in
                // If a list is repeated, the last one counts.
                for (member, list) in lists where reader.isEqual(name, to: member) {
                    offsets[list] = Self.elements(of: value, in: bytes)
                }
            }
        }
    }

    /// Where the rejected entry begins.
    subscript(rejection: Catalogue.Rejection) -> Int {
        guard let list = offsets[rejection.list], list.indices.contains(rejection.index) else { return 0 }
        return list[rejection.index]
    }

    private static func elements(of value: JSONReader.Value, in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        guard case .other(let range) = value else { return [] }
        var starts: [Int] = []
        var reader = JSONReader(UnsafeBufferPointer(rebasing: bytes[range]))
        try? reader.readArray { value throws(ReferralError) in
            let start =
                switch value {
                case .string(let text): text.range.lowerBound - 1
                case .number(let range), .other(let range): range.lowerBound
                }
            starts.append(range.lowerBound + start)
        }
        return starts
    }
}
