/// Reads a table in chunks of whole rows, in constant memory.
///
/// Only one thread may use it at a time.
final class RowInput {
    /// The size of a read: large enough to justify waking a thread, and small enough for a core's cache.
    private static let blockSize = 128 << 10

    /// The size of a buffer. A full buffer contains a whole row, or a part of a line that is longer than a row may be.
    static let bufferSize = RowScanner.maximumLength + blockSize

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    enum Chunk {
        /// Whole rows, and ``RowScanner/unclosed`` before them.
        case rows(Bytes, unclosed: Int)
        /// A piece of a line that is longer than a row may be, without its line feed.
        case piece(Bytes, isFirst: Bool, isLast: Bool)
    }

    let stream: ByteStream
    /// The format. The header of a CSV table determines its form.
    private(set) var format: RowFormat

    /// The number of bytes read so far.
    private(set) var consumed = 0

    /// Whether the input begins with a UTF-8 byte order mark, which isn't a part of the first row.
    private(set) var hasByteOrderMark = false
    private var detectsEncoding: Bool
    private var detectsHeader: Bool
    /// Whether each CR is read as LF.
    private var hasReturns = false

    /// The beginning of the next chunk.
    private var rest: [UInt8] = []
    private var isAtEnd = false
    private var isInsideOfLongLine = false
    private var unclosed = 0

    init(_ stream: ByteStream, format: RowFormat, detectsEncoding: Bool = true, hasHeader: Bool = false) {
        self.detectsEncoding = detectsEncoding
        detectsHeader = hasHeader && format.separator != nil
        self.stream = stream
        self.format = format
    }

    /// Reads the next chunk into a buffer of ``bufferSize`` bytes. Returns `nil` at the end of the input, or after a signal.
    func next(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Chunk? {
        var count = buffer.update(fromContentsOf: rest.prefix(buffer.count))
        rest.removeFirst(count)
        var whole = 0
        let unclosed = unclosed
        while true {
            if readHeader(buffer, count) { whole = endOfWholeRows(Bytes(rebasing: buffer[..<count]), from: whole) }
            if isAtEnd || count == buffer.count || whole > 0 && count >= Self.blockSize { break }
            // Complete rows don't wait for more input.
            guard stream.hasInput(waker: Interruption.waker, waits: whole == 0) else { break }
            let room = UnsafeMutableRawBufferPointer(buffer)[count...].prefix(Self.blockSize)
            let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room))
            isAtEnd = read == 0
            consumed += read
            if hasReturns { replaceReturns(in: buffer[count...].prefix(read)) }
            count += read
        }
        // A line that is too long may end exactly at the end of a piece.
        guard Interruption.status == nil, count > 0 || isInsideOfLongLine else { return nil }
        // The waker ended the wait before a row was complete.
        guard whole > 0 || isAtEnd || count == buffer.count else { return nil }

        let isWholeLine = whole > 0 || isAtEnd
        if !isWholeLine { whole = count }
        rest.insert(contentsOf: buffer[whole..<count], at: 0)
        self.unclosed -= whole
        let bytes = try withoutByteOrderMark(Bytes(rebasing: buffer[..<whole]))
        guard isInsideOfLongLine || !isWholeLine else { return .rows(bytes, unclosed: unclosed) }
        let isFirst = !isInsideOfLongLine
        isInsideOfLongLine = !isWholeLine
        let end = isWholeLine && bytes.last == ASCII.lineFeed ? bytes.count - 1 : bytes.count
        return .piece(bytes.part(0..<end), isFirst: isFirst, isLast: isWholeLine)
    }

    /// Reads the next chunk, or throws after a signal.
    func nextUninterrupted(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Chunk? {
        let chunk = try next(into: buffer)
        if let status = Interruption.status { throw ToolError(status: status, message: nil) }
        return chunk
    }

    private func withoutByteOrderMark(_ bytes: Bytes) throws(ToolError) -> Bytes {
        guard detectsEncoding else { return bytes }
        detectsEncoding = false
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw .badData("\(whole: stream.name) is UTF-16; save it as UTF-8")
        }
        // A ZIP archive, which most spreadsheet files are, and the older files of Excel.
        guard !bytes.starts(with: "PK\u{3}\u{4}".utf8), !bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) else {
            throw .badData("\(whole: stream.name) is a spreadsheet file; save it as CSV")
        }
        hasByteOrderMark = bytes.starts(with: Self.byteOrderMark)
        return hasByteOrderMark ? bytes.part(Self.byteOrderMark.count..<bytes.count) : bytes
    }

    /// Returns bytes to the beginning of the next chunk.
    func unread(_ bytes: Bytes) {
        rest.insert(contentsOf: bytes, at: 0)
        unclosed = 0
    }

    /// Reads the form of the table from its first line. Returns `false` if that depends on the next bytes.
    private func readHeader(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ count: Int) -> Bool {
        guard detectsHeader else { return true }
        let bytes = Bytes(rebasing: buffer[..<count])
        let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        guard let header = TableHeader(bytes.part(start..<count), of: format, isWhole: isAtEnd) else { return false }
        (format, hasReturns, detectsHeader) = (header.format, header.hasReturns, false)
        if hasReturns { replaceReturns(in: buffer[..<count]) }
        return true
    }

    private func replaceReturns(in bytes: Slice<UnsafeMutableBufferPointer<UInt8>>) {
        for index in bytes.indices where bytes[index] == ASCII.carriageReturn { bytes.base[index] = ASCII.lineFeed }
    }

    /// The end of the last whole row; the start if there is none.
    private func endOfWholeRows(_ bytes: Bytes, from start: Int) -> Int {
        if isInsideOfLongLine, let lineFeed = bytes.firstIndex(of: ASCII.lineFeed, in: bytes.indices) {
            return lineFeed + 1
        }
        if isAtEnd { return bytes.count }
        if isInsideOfLongLine { return 0 }
        var scanner = RowScanner(bytes, format: format, isWhole: false, unclosed: unclosed)
        scanner.skip(to: start)
        var isWhole = true
        // Without a quotation mark, a line is a row.
        while isWhole, format.hasQuotes,
            let quote = bytes.firstIndex(of: ASCII.quote, in: scanner.position..<bytes.count)
        {
            if let lineFeed = bytes.lastIndex(of: ASCII.lineFeed, in: scanner.position..<quote) {
                scanner.skip(to: lineFeed + 1)
            }
            isWhole = scanner.next() != nil
        }
        unclosed = scanner.unclosed
        let lineFeed = isWhole ? bytes.lastIndex(of: ASCII.lineFeed, in: scanner.position..<bytes.count) : nil
        return lineFeed.map { $0 + 1 } ?? scanner.position
    }
}
