/// The characters that need no escape. For a fast lookup, the table is made once, with the library.
struct CharacterTable {
    // It is written once, here, and never freed.
    nonisolated(unsafe) private static let shared: UnsafePointer<UInt8> = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        table.initialize(repeating: 0, count: 256)
        for code in UInt8(0x20)..<0x7F {
            let character = String(UnicodeScalar(code))
            let payload = try? Referral(referrer: character, timestamp: Timestamp(milliseconds: 1e12)).payload
            let isPlain = payload == #"{"timestamp":1000000000000,"referrer":"\#(character)"}"#
            let isUnreserved = PercentEncoding.encode(character) == character
            table[Int(code)] = (isPlain ? 1 : 0) | (isUnreserved ? 2 : 0)
        }
        return UnsafePointer(table)
    }()

    private let table = Self.shared

    /// Whether an ASCII character needs no escape in JSON and on a terminal.
    func isPlain(_ byte: UInt8) -> Bool { table[Int(byte)] & 1 != 0 }

    /// Whether a character needs no escape in an address.
    func isUnreserved(_ byte: UInt8) -> Bool { table[Int(byte)] & 2 != 0 }
}
