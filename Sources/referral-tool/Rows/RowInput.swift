/// Whole rows in memory, or the beginning of a line that is longer than a row may be, whose rest was skipped.
final class RowBlock {
    fileprivate let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: RowInput.bufferSize)
    fileprivate var range = 0..<0
    /// The number of its first line, from 1.
    fileprivate(set) var line = 1
    fileprivate(set) var isCut = false

    var bytes: Bytes { Bytes(rebasing: buffer[range]) }

    deinit { buffer.deallocate() }
}

/// Reads a table in blocks of whole rows, in constant memory.
final class RowInput {
    /// The size of a read: small enough for a core's cache.
    private static let blockSize = 32 << 10

    fileprivate static let bufferSize = RowScanner.maximumLength + blockSize

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let stream: ByteStream
    /// The format. The first line of a CSV table determines its form.
    private(set) var format: RowFormat
    /// Whether the input begins with a UTF-8 byte order mark, which isn't a part of the first row.
    private(set) var hasByteOrderMark = false

    private var isAtStart = true
    private var isAtEnd = false
    private var hasForm: Bool
    /// Whether nobody knows where the next row begins.
    private var isBroken = false
    private var line = 1
    /// The beginning of the next block.
    private var rest: [UInt8] = []

    init(_ stream: ByteStream, format: RowFormat) {
        self.stream = stream
        self.format = format
        hasForm = format != .csv
    }

    /// Reads the next block; `nil` at the end of the input. Without waiting, also `nil` if there is no whole row yet.
    func next(waits: Bool = true) throws(ToolError) -> RowBlock? {
        let block = RowBlock()
        var count = block.buffer.update(fromContentsOf: rest)
        rest.removeAll(keepingCapacity: true)
        var end = 0
        while true {
            end = endOfRows(Bytes(rebasing: block.buffer[..<count]))
            if isAtEnd || count == block.buffer.count || end > 0 && count >= Self.blockSize { break }
            // Complete rows don't wait for more input.
            guard waits && end == 0 || stream.hasInput else { break }
            let read = try stream.read(into: block.buffer[count...].prefix(Self.blockSize))
            isAtEnd = read == 0
            count += read
        }
        block.isCut = end == 0 && count == block.buffer.count
        if block.isCut { end = count }
        if !isBroken { rest.append(contentsOf: block.buffer[end..<count]) }
        guard end > 0 else { return nil }
        block.range = try start(of: Bytes(rebasing: block.buffer[..<end]))..<end
        block.line = line
        line += block.bytes.lineFeedCount
        if block.isCut {
            try skipLine()
            line += 1
        }
        return block
    }

    /// Returns the bytes after a position of the block that was read last.
    func unread(_ block: RowBlock, from position: Int) {
        let bytes = block.bytes.part(position..<block.bytes.count)
        line -= bytes.lineFeedCount
        rest.insert(contentsOf: bytes, at: 0)
    }

    /// The end of the last whole row; 0 if there is none.
    private func endOfRows(_ bytes: Bytes) -> Int {
        let start = isAtStart && bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        if !hasForm {
            let first = bytes.part(start..<bytes.count)
            guard let form = RowFormat.csv(firstLine: first, isWhole: isAtEnd) else { return 0 }
            (format, hasForm) = (form, true)
        }
        if isAtEnd { return bytes.count }
        var position = start
        var scanner = RowScanner(bytes, format: format, isWhole: false)
        // Without cells or a quotation mark, a line is a row.
        while format.separator != nil, let quote = bytes.firstIndex(of: ASCII.quote, in: position..<bytes.count) {
            if let lineFeed = bytes[position..<quote].lastIndex(of: ASCII.lineFeed) { position = lineFeed + 1 }
            scanner.position = position
            guard scanner.next() != nil else { return position > start ? position : 0 }
            position = scanner.position
            if scanner.isBroken {
                (isBroken, isAtEnd) = (true, true)
                return position
            }
        }
        return bytes[position...].lastIndex(of: ASCII.lineFeed).map { $0 + 1 }
            ?? (position > start ? position : 0)
    }

    /// The length of the byte order mark. Throws if the input isn't text.
    private func start(of bytes: Bytes) throws(ToolError) -> Int {
        guard isAtStart else { return 0 }
        isAtStart = false
        guard !bytes.areUTF16 else { throw .badData("\(whole: stream.name) is UTF-16; save it as UTF-8") }
        // A ZIP archive, which most spreadsheet files are, and the older files of Excel.
        guard !bytes.starts(with: "PK\u{3}\u{4}".utf8), !bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) else {
            let advice: Sentence = format == .txt ? "an archive; unpack it" : "a spreadsheet file; save it as CSV"
            throw .badData("\(whole: stream.name) is \(advice)")
        }
        hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
        return hasByteOrderMark ? Self.byteOrderMark.count : 0
    }

    /// Skips the rest of a line that is too long.
    private func skipLine() throws(ToolError) {
        let room = RowBlock()
        while !isAtEnd {
            let count = try stream.read(into: room.buffer.prefix(Self.blockSize))
            isAtEnd = count == 0
            guard let end = room.buffer[..<count].firstIndex(of: ASCII.lineFeed) else { continue }
            return rest = Array(room.buffer[(end + 1)..<count])
        }
    }
}
