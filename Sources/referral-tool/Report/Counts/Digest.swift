/// A hash of 64 bits, which stands for the bytes themselves. Its seed is another one in each run.
struct Digest: Hashable {
    private static let seed = UInt64.random(in: 0...(.max))
    private(set) var value = Self.seed

    init(_ bytes: Bytes) { add(bytes) }

    mutating func add(_ bytes: Bytes) {
        var position = 0
        while let start = bytes.baseAddress, position + 8 <= bytes.count {
            mix(UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
            position += 8
        }
        mix(bytes[position...].reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) })
    }

    mutating func mix(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        value = product.high ^ product.low
    }

    /// A digest is random already, so that a second hash of it would only take time.
    func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: value) ^ seed }
}
