/// A hash of 128 bits, which stands for the bytes themselves. Its seed is another one in each run.
struct Digest: Hashable {
    private static let seed = (UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max)))

    private var (first, second) = Self.seed

    init(_ bytes: Bytes) { add(bytes) }

    init(_ text: String) { self = text.withUTF8Bytes { Digest($0) } }

    mutating func add(_ bytes: Bytes) {
        var position = 0
        while let start = bytes.baseAddress, position + 8 <= bytes.count {
            mix(UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self))
            position += 8
        }
        mix(bytes[position...].reduce(0) { $0 << 8 | UInt64($1) })
        mix(UInt64(bytes.count))
    }

    mutating func add(_ digest: Digest) {
        mix(digest.first)
        mix(digest.second)
    }

    mutating func mix(_ word: UInt64) {
        let left = (first ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        let right = (second ^ word).multipliedFullWidth(by: 0xC4CE_B9FE_1A85_EC53)
        first = left.high ^ left.low &+ right.high
        second = right.high ^ right.low ^ left.high << 1
    }

    func hash(into hasher: inout Hasher) { hasher.combine(first) }
}
