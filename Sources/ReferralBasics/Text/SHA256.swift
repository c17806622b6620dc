#if !canImport(CryptoKit)
/// SHA-256 (FIPS 180-4), where there is no CryptoKit.
package struct SHA256 {
    private var state = initialState
    /// The bytes of a block that isn't complete yet.
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Adds bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        count += UInt64(bytes.count)
        pending += bytes
        let blocks = pending.prefix(pending.count / Self.blockSize * Self.blockSize)
        blocks.withUnsafeBytes { compress($0) }
        pending = Array(pending[blocks.endIndex...])
    }

    /// The digest of the message, 32 bytes.
    package func finish() -> [UInt8] {
        // The padding: a one bit, zeros, and the message's length in bits in the last eight bytes of a block.
        let zeros = (2 * Self.blockSize - 9 - pending.count) % Self.blockSize
        let padding = [0x80] + [UInt8](repeating: 0, count: zeros) + Self.bytes(of: count &* 8)
        var last = self
        padding.withUnsafeBytes { last.update($0) }
        return last.state.flatMap(Self.bytes)
    }

    /// Adds whole blocks to the state.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        guard !blocks.isEmpty else { return }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            Self.constants.withUnsafeBufferPointer { constants in
                for start in stride(from: 0, to: blocks.count, by: Self.blockSize) {
                    for i in 0..<16 {
                        let word = blocks.loadUnaligned(fromByteOffset: start + 4 * i, as: UInt32.self)
                        words[i] = UInt32(bigEndian: word)
                    }
                    addBlock(words, constants)
                }
            }
        }
    }

    private mutating func addBlock(
        _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        for i in 16..<64 {
            let (a, b) = (words[i - 15], words[i - 2])
            let s0 = a.rotated(7) ^ a.rotated(18) ^ a >> 3
            let s1 = b.rotated(17) ^ b.rotated(19) ^ b >> 10
            words[i] = words[i - 16] &+ s0 &+ words[i - 7] &+ s1
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for i in 0..<64 {
            let s1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let choice = e & f ^ ~e & g
            let t1 = h &+ s1 &+ choice &+ constants[i] &+ words[i]
            let s0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let majority = a & b ^ a & c ^ b & c
            (h, g, f, e) = (g, f, e, d &+ t1)
            (d, c, b, a) = (c, b, a, t1 &+ s0 &+ majority)
        }
        for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
    }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static let blockSize = 64

    /// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
    private static let initialState: [UInt32] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}

private extension UInt32 {
    func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
#endif
