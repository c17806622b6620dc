import ReferralFoundation
import ReferralSiteCheck

extension Bytes {
    static var empty: Bytes { Bytes(start: nil, count: 0) }

    /// The bytes in a range.
    func part(_ range: Range<Int>) -> Bytes { Bytes(rebasing: self[range]) }

    /// The index of the first byte of a value, found at the speed of memory.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        guard let baseAddress, !range.isEmpty else { return nil }
        let found = memchr(baseAddress + range.lowerBound, Int32(byte), range.count)
        return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(baseAddress) }
    }

    /// The position of a text.
    func firstIndex(of text: StaticString, from start: Int = 0) -> Int? {
        var position = start
        while let found = firstIndex(of: text.utf8[0], in: Swift.min(position, count)..<count) {
            if holds(text, at: found) { return found }
            position = found + 1
        }
        return nil
    }

    /// Whether a text is at this position.
    func holds(_ text: StaticString, at position: Int) -> Bool { holds(text.utf8, at: position) }

    /// Whether other bytes are at this position.
    func holds(_ other: Bytes, at position: Int) -> Bool {
        guard let baseAddress, let start = other.baseAddress, position + other.count <= count else {
            return other.isEmpty
        }
        return memcmp(baseAddress + position, start, other.count) == 0
    }

    /// Whether the bytes are those of a text.
    func isEqual(to text: StaticString) -> Bool { count == text.utf8CodeUnitCount && holds(text, at: 0) }

    /// The number of line feeds.
    var lineFeedCount: Int {
        var (count, position) = (0, 0)
        while let lineFeed = firstIndex(of: ASCII.lineFeed, in: position..<self.count) {
            (count, position) = (count + 1, lineFeed + 1)
        }
        return count
    }

    /// The text, or `nil` if it is not UTF-8.
    var text: String? { isUTF8 ? string : nil }

    var areUTF16: Bool { Array(prefix(4)).areUTF16 }

    /// The first byte that isn't UTF-8, in words; `nil` for a text.
    var encodingProblem: String? {
        guard !isUTF8, let offset = Array(self).offsetOfInvalidUTF8 else { return nil }
        return "It is not UTF-8: its byte \(offset + 1) is 0x\(String(self[offset], radix: 16, uppercase: true))."
    }

    /// The text of bytes that are UTF-8.
    var string: String { String(decoding: self, as: UTF8.self) }
}

/// A growing buffer of bytes.
struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    var bytes: Bytes { Bytes(start: start, count: count) }

    mutating func removeAll() { count = 0 }

    /// Removes the bytes after a count.
    mutating func truncate(to count: Int) { self.count = min(count, self.count) }

    func hasRoom(for more: Int) -> Bool { count + more <= capacity }

    /// Makes room for more bytes, up to which the bytes stay where they are.
    @inline(__always)
    mutating func makeRoom(for more: Int) {
        if !hasRoom(for: more) { grow(for: more) }
    }

    /// A call of its own, since appending rarely needs more room.
    @inline(never)
    private mutating func grow(for more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    /// Appends the bytes that a function writes into room for more; it returns their number.
    mutating func append(upTo room: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        makeRoom(for: room)
        count += write(UnsafeMutableBufferPointer(start: start + count, count: room))
    }

    /// Appends text as a part of an address.
    mutating func append(percentEncoding text: Bytes, isInText: Bool = false) {
        append(upTo: 3 * text.count) { PercentEncoding.encode(text, isInText: isInText, into: $0) }
    }

    mutating func append(_ bytes: Bytes) {
        guard let from = bytes.baseAddress else { return }
        makeRoom(for: bytes.count)
        (start + count).update(from: from, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

    mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        start[count] = byte
        count += 1
    }

    /// Appends a number as JavaScript prints it.
    mutating func append(number: Double) {
        guard var rest = UInt64(exactly: number) else { return append(JSONWriter.number(number)) }
        append(upTo: 20) { room in
            var first = room.count
            repeat {
                first -= 1
                room[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            return room.update(fromContentsOf: room[first...])
        }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    mutating func append(_ text: StaticString) { append(text.utf8) }
}
