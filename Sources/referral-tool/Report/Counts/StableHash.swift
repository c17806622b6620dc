/// A hash that is the same in every run, so that the reports of parts can be joined. It isn't cryptographic.
struct StableHash {
    private var state: UInt64

    init(seed: UInt64 = 0) { state = seed ^ 0x51_7C_C1_B7_27_22_0A_95 }

    mutating func add(_ bytes: Bytes) {
        var position = 0
        if let start = bytes.baseAddress {
            while position + 8 <= bytes.count {
                mix(UInt64(littleEndian: UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self)))
                position += 8
            }
        }
        var rest: UInt64 = 0
        while position < bytes.count {
            rest = rest << 8 | UInt64(bytes[position])
            position += 1
        }
        mix(rest)
        mix(UInt64(bytes.count))
    }

    mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
    }

    var value: UInt64 {
        var hash = state
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }

    static func of(_ text: String) -> UInt64 {
        var hash = StableHash()
        text.withUTF8Bytes { hash.add($0) }
        return hash.value
    }
}
