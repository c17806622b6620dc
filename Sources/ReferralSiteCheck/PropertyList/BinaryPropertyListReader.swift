/// Reads a binary property list: a table of objects that refer to each other by their numbers.
struct BinaryPropertyListReader {
    /// How many objects, characters and references are read. An object counts each time that another one refers to it, so a
    /// small file could contain any number of them.
    private static let maximumCost = 1 << 20

    private let bytes: [UInt8]
    private var cost = 0
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var table = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(PropertyList.Failure) -> PropertyList {
        let trailer = bytes.count - 32
        guard trailer >= 8 else { throw Self.failure }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        count = try number(at: trailer + 8, size: 8)
        let top = try number(at: trailer + 16, size: 8)
        table = try number(at: trailer + 24, size: 8)
        let (size, overflows) = count.multipliedReportingOverflow(by: offsetSize)
        guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, !overflows, table <= trailer, size <= trailer - table else {
            throw Self.failure
        }
        return try object(top, depth: 1)
    }

    private static let failure = PropertyList.Failure(offset: 0, message: "the binary property list is damaged")

    private mutating func object(_ index: Int, depth: Int) throws(PropertyList.Failure) -> PropertyList {
        guard index < count else { throw Self.failure }
        let offset = try number(at: table + index * offsetSize, size: offsetSize)
        guard offset < table else { throw Self.failure }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
        switch kind {
        case 0x0 where low == 8 || low == 9:
            try spend(1)
            return PropertyList(.bool(low == 9))
        case 0x5, 0x6:
            let (start, length) = try content(offset, low, unit: kind == 0x6 ? 2 : 1)
            let text = bytes[start..<(start + length * (kind == 0x6 ? 2 : 1))]
            let string = kind == 0x6 ? Self.utf16(text) : String(decoding: text, as: UTF8.self)
            return PropertyList(.string(string.streamSafe))
        case 0xA, 0xC:
            let (start, length) = try content(offset, low, unit: referenceSize)
            guard depth <= PropertyList.maximumDepth else { throw Self.failure }
            var values: [PropertyList] = []
            for position in 0..<length { values.append(try reference(start, position, depth)) }
            return PropertyList(.array(values))
        case 0xD:
            let (start, length) = try content(offset, low, unit: 2 * referenceSize)
            guard depth <= PropertyList.maximumDepth else { throw Self.failure }
            var values: [String: PropertyList] = [:]
            for position in 0..<length {
                guard let key = try reference(start, position, depth).string else { throw Self.failure }
                values[key] = try reference(start, length + position, depth)
            }
            return PropertyList(.dictionary(values))
        default:
            try spend(1)
            return PropertyList(.other)
        }
    }

    private mutating func reference(
        _ start: Int,
        _ position: Int,
        _ depth: Int
    ) throws(PropertyList.Failure) -> PropertyList {
        try object(number(at: start + position * referenceSize, size: referenceSize), depth: depth + 1)
    }

    /// The start and the length of an object's content, in units of some bytes.
    private mutating func content(
        _ offset: Int,
        _ low: Int,
        unit: Int
    ) throws(PropertyList.Failure) -> (start: Int, length: Int) {
        var (start, length) = (offset + 1, low)
        if low == 0x0F {
            // A longer length is an integer object.
            guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0x0F <= 3 else { throw Self.failure }
            let size = 1 << Int(bytes[start] & 0x0F)
            length = try number(at: start + 1, size: size)
            start += 1 + size
        }
        guard start <= table, length <= (table - start) / unit else { throw Self.failure }
        try spend(1 + length)
        return (start, length)
    }

    private mutating func spend(_ amount: Int) throws(PropertyList.Failure) {
        cost += amount
        guard cost <= Self.maximumCost else {
            throw PropertyList.Failure(offset: 0, message: "the binary property list has too many objects")
        }
    }

    /// A big-endian number.
    private func number(at offset: Int, size: Int) throws(PropertyList.Failure) -> Int {
        guard offset >= 0, offset + size <= bytes.count else { throw Self.failure }
        let value = bytes[offset..<(offset + size)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // No offset or length is longer than a file.
        guard value <= UInt64(UInt32.max) else { throw Self.failure }
        return Int(value)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
