/// Tells a new visit from one that continues: each request follows the one before by less than 30 minutes.
/// A visit is forgotten once the log is 30 minutes further, so that memory depends on the visits of an hour, up to a limit.
struct Visits {
    /// The longest time between two requests of a visit, in seconds. At exactly this time, a new visit begins.
    private static let pause = 1_800
    /// The number of visits that are remembered at least.
    static let maximumCount = 400_000

    /// The times of the last requests, since the last change and before it.
    private var recent: [Digest: Int] = [:]
    private var older: [Digest: Int] = [:]
    private var start = 0
    /// Whether visits were forgotten that might have continued.
    private(set) var isFull = false

    /// Records a request of a client for something, and returns whether a visit begins with it.
    mutating func begins(_ key: Digest, at time: Int) -> Bool {
        let isLater = abs(time - start) >= Self.pause
        if isLater || recent.count >= Self.maximumCount {
            isFull = isFull || !isLater && !older.isEmpty
            (older, recent, start) = (recent, [:], time)
        }
        let last = recent.updateValue(time, forKey: key) ?? older[key]
        return last.map { abs(time - $0) >= Self.pause } ?? true
    }
}

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
