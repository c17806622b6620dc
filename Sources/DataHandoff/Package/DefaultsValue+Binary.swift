package import ReferralFoundation

// Apple's binary format: the objects, a table with their offsets, and a trailer. The comments of
// https://github.com/opensource-apple/CF/blob/master/CFBinaryPList.c describe it.
private let magic = Array("bplist00".utf8)
private let trailerLength = 32

/// The kinds of objects, in the upper half of an object's first byte. The lower half is a length or a size.
private enum Kind {
    static let boolean: UInt8 = 0x0
    static let integer: UInt8 = 0x1
    static let real: UInt8 = 0x2
    static let date: UInt8 = 0x3
    static let data: UInt8 = 0x4
    static let ascii: UInt8 = 0x5
    static let utf16: UInt8 = 0x6
    static let array: UInt8 = 0xA
    static let dictionary: UInt8 = 0xD

    static let (no, yes): (UInt8, UInt8) = (0x08, 0x09)
    /// A lower half that says that the length follows, as an integer.
    static let longLength: UInt8 = 0xF
}

// MARK: - Writing

extension DefaultsValue {
    /// The list in Apple's binary format. The same value always has the same bytes, and no object is used twice.
    package var binary: Data {
        var writer = BinaryWriter()
        let top = writer.add(self)
        return writer.finish(top)
    }
}

private struct BinaryWriter {
    /// The bytes of a reference and of an offset.
    private static let wordLength: UInt8 = 4

    private var bytes = magic
    private var offsets: [Int] = []

    /// Writes a value after the values in it.
    ///
    /// - Returns: The object's number.
    mutating func add(_ value: DefaultsValue) -> Int {
        switch value {
        case .boolean(let flag): return begin(flag ? Kind.yes : Kind.no)
        case .integer(let number): return begin(Kind.integer << 4 | 3, UInt64(bitPattern: Int64(number)))
        case .real(let number): return begin(Kind.real << 4 | 3, number.bitPattern)
        case .date(let date): return begin(Kind.date << 4 | 3, date.timeIntervalSinceReferenceDate.bitPattern)
        case .data(let data): return begin(Kind.data, length: data.count, data)
        case .string(let text): return add(text)
        case .array(let values):
            let references = values.map { add($0) }
            return begin(Kind.array, length: values.count, words(references))
        case .dictionary(let members):
            let references = members.map { add($0.key) } + members.map { add($0.value) }
            return begin(Kind.dictionary, length: members.count, words(references))
        }
    }

    private mutating func add(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return begin(Kind.ascii, length: text.utf8.count, text.utf8) }
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return begin(Kind.utf16, length: units.count / 2, units)
    }

    private mutating func begin(_ first: UInt8) -> Int {
        offsets.append(bytes.count)
        bytes.append(first)
        return offsets.count - 1
    }

    private mutating func begin(_ first: UInt8, _ number: UInt64) -> Int {
        let place = begin(first)
        append(number)
        return place
    }

    private mutating func begin(_ kind: UInt8, length: Int, _ contents: some Collection<UInt8>) -> Int {
        let isShort = length < Int(Kind.longLength)
        let place = begin(kind << 4 | (isShort ? UInt8(length) : Kind.longLength))
        if !isShort {
            bytes.append(Kind.integer << 4 | 3)
            append(UInt64(length))
        }
        bytes += contents
        return place
    }

    private func words(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, Array.init) }
    }

    private mutating func append(_ number: UInt64) {
        bytes += withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    mutating func finish(_ top: Int) -> Data {
        let table = bytes.count
        bytes += words(offsets)
        bytes += [0, 0, 0, 0, 0, 0, Self.wordLength, Self.wordLength]
        for number in [offsets.count, top, table] { append(UInt64(number)) }
        return Data(bytes)
    }
}

// MARK: - Reading

extension DefaultsValue {
    /// The deepest nesting: 64 arrays or dictionaries.
    static let maximumDepth = 64

    /// Reads a list in Apple's binary format.
    ///
    /// - Parameters:
    ///   - data: The list.
    ///   - maximumSize: The largest size, in bytes. An object counts as often as it is used.
    /// - Throws: ``HandoffError/defaultsTooLarge`` or ``HandoffError/invalidDefaults``.
    package init(binary data: Data, maximumSize: Int = .max) throws(HandoffError) {
        guard data.count <= maximumSize else { throw .defaultsTooLarge }
        var reader = try BinaryReader([UInt8](data), maximumSize: maximumSize)
        self = try reader.top()
    }
}

private struct BinaryReader {
    private let bytes: [UInt8]
    private let offsetLength, referenceLength: Int
    private let count: Int
    private let table: Int
    private let topReference: Int
    /// The number of bytes that may still be read.
    private var rest: Int

    init(_ bytes: [UInt8], maximumSize: Int) throws(HandoffError) {
        guard bytes.starts(with: magic), bytes.count >= magic.count + trailerLength else { throw .invalidDefaults }
        self.bytes = bytes
        rest = maximumSize
        let trailer = bytes.count - trailerLength
        offsetLength = Int(bytes[trailer + 6])
        referenceLength = Int(bytes[trailer + 7])
        func word(_ place: Int) throws(HandoffError) -> Int {
            try Self.number(bytes[(trailer + place)..<(trailer + place + 8)])
        }
        count = try word(8)
        topReference = try word(16)
        table = try word(24)
        guard 1...8 ~= offsetLength, 1...8 ~= referenceLength, count <= bytes.count,
            magic.count...trailer ~= table, count * offsetLength <= trailer - table
        else { throw .invalidDefaults }
    }

    mutating func top() throws(HandoffError) -> DefaultsValue { try value(topReference, depth: 0) }

    private mutating func value(_ reference: Int, depth: Int) throws(HandoffError) -> DefaultsValue {
        guard 0..<count ~= reference else { throw .invalidDefaults }
        let entry = table + reference * offsetLength
        var place = try Self.number(bytes[entry..<(entry + offsetLength)])
        guard magic.count..<table ~= place else { throw .invalidDefaults }
        let first = bytes[place]
        place += 1
        let (kind, low) = (first >> 4, first & 0xF)
        switch kind {
        case Kind.boolean:
            guard [Kind.no, Kind.yes].contains(first) else { throw .invalidDefaults }
            try use(1)
            return .boolean(first == Kind.yes)
        case Kind.integer:
            guard low <= 3 else { throw .invalidDefaults }
            let digits = try take(1 << Int(low), at: place)
            // Only integers of eight bytes have a sign.
            return .integer(Int(truncatingIfNeeded: Self.bits(digits)))
        case Kind.real where low == 2:
            return .real(Double(Float(bitPattern: UInt32(Self.bits(try take(4, at: place))))))
        case Kind.real where low == 3:
            return .real(Double(bitPattern: Self.bits(try take(8, at: place))))
        case Kind.date where low == 3:
            let seconds = Double(bitPattern: Self.bits(try take(8, at: place)))
            guard seconds.isFinite else { throw .invalidDefaults }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case Kind.data: return .data(Data(try contents(low, 1, at: place)))
        case Kind.ascii:
            let text = try contents(low, 1, at: place)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw .invalidDefaults }
            return .string(String(decoding: text, as: UTF8.self))
        case Kind.utf16:
            let halves = try contents(low, 2, at: place)
            let units = stride(from: halves.startIndex, to: halves.endIndex, by: 2)
                .map { UInt16(halves[$0]) << 8 | UInt16(halves[$0 + 1]) }
            let text = String(decoding: units, as: UTF16.self)
            guard text.utf16.elementsEqual(units) else { throw .invalidDefaults }
            return .string(text)
        case Kind.array: return .array(try values(contents(low, referenceLength, at: place), depth))
        case Kind.dictionary:
            let values = try values(contents(low, 2 * referenceLength, at: place), depth)
            var members: [DefaultsValue.Member] = []
            // All keys come first, and then all values.
            for (key, value) in zip(values, values.dropFirst(values.count / 2)) {
                guard case .string(let key) = key else { throw .invalidDefaults }
                members.append(DefaultsValue.Member(key, value))
            }
            guard let dictionary = DefaultsValue(members) else { throw .invalidDefaults }
            return dictionary
        default: throw .invalidDefaults
        }
    }

    /// The values to which references lead.
    private mutating func values(
        _ references: ArraySlice<UInt8>,
        _ depth: Int
    ) throws(HandoffError) -> [DefaultsValue] {
        guard depth < DefaultsValue.maximumDepth else { throw .invalidDefaults }
        var values: [DefaultsValue] = []
        for place in stride(from: references.startIndex, to: references.endIndex, by: referenceLength) {
            let reference = try Self.number(references[place..<(place + referenceLength)])
            values.append(try value(reference, depth: depth + 1))
        }
        return values
    }

    /// The contents of an object with a length, in units of some bytes.
    private mutating func contents(
        _ low: UInt8,
        _ unit: Int,
        at place: Int
    ) throws(HandoffError) -> ArraySlice<UInt8> {
        guard low == Kind.longLength else { return try take(Int(low) * unit, at: place) }
        guard place < table, bytes[place] >> 4 == Kind.integer, bytes[place] & 0xF <= 3 else { throw .invalidDefaults }
        let digits = try take(1 << Int(bytes[place] & 0xF), at: place + 1)
        let length = try Self.number(digits)
        guard length <= table / unit else { throw .invalidDefaults }
        return try take(length * unit, at: digits.endIndex)
    }

    /// The bytes at a place, which count with the first byte of their object.
    private mutating func take(_ length: Int, at place: Int) throws(HandoffError) -> ArraySlice<UInt8> {
        guard length <= table - place else { throw .invalidDefaults }
        try use(1 + length)
        return bytes[place..<(place + length)]
    }

    private mutating func use(_ length: Int) throws(HandoffError) {
        guard length <= rest else { throw .defaultsTooLarge }
        rest -= length
    }

    private static func bits(_ digits: ArraySlice<UInt8>) -> UInt64 { digits.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func number(_ digits: ArraySlice<UInt8>) throws(HandoffError) -> Int {
        guard let number = Int(exactly: bits(digits)) else { throw .invalidDefaults }
        return number
    }
}
