/// Reads a table and cuts it into chunks of whole rows, in constant memory.
///
/// Not safe to be used by two threads at once: ``RowPipeline`` lets in one at a time.
final class RowInput {
    /// How much is read at a time: enough that a thread is worth waking, little enough to stay in a core's cache.
    private static let blockSize = 128 << 10

    /// How large a buffer for a chunk is. A full one either holds a whole row or a line that is longer than any row may be.
    static let bufferSize = RowScanner.maximumLength + blockSize

    enum Chunk {
        /// Whole rows.
        case rows(Bytes)
        /// A piece of a line that is longer than any row may be, with its line end if it has one.
        case piece(Bytes, isFirst: Bool, isLast: Bool)
    }

    let stream: ByteStream
    let format: RowFormat

    /// How many bytes have been read.
    private(set) var consumed = 0

    /// Whether the input began with a UTF-8 byte order mark, which is no part of its first row.
    private(set) var hasByteOrderMark = false
    private var isAtStart = true

    /// What was read already and belongs to the next chunk.
    private var rest: [UInt8] = []
    private var isAtEnd = false
    private var isInsideOfLongLine = false

    init(_ stream: ByteStream, format: RowFormat) {
        self.stream = stream
        self.format = format
    }

    /// Reads the next chunk.
    ///
    /// - Parameter buffer: Where it is to lie, ``bufferSize`` bytes.
    /// - Returns: The chunk; `nil` at the end of the input, or where there is no sense in going on.
    /// - Throws: What kept it from being read.
    func next(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Chunk? {
        var count = buffer.update(fromContentsOf: rest.prefix(buffer.count))
        rest.removeFirst(count)
        var whole = 0
        while true {
            whole = endOfWholeRows(Bytes(rebasing: buffer[..<count]))
            if isAtEnd || count == buffer.count || whole > 0 && count >= Self.blockSize { break }
            // The rows of a slow writer do not wait for more of them.
            guard stream.hasInput(orWokenBy: Interruption.waker, patiently: whole == 0) else { break }
            let room = UnsafeMutableRawBufferPointer(buffer)[count...].prefix(Self.blockSize)
            let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room))
            isAtEnd = read == 0
            consumed += read
            count += read
        }
        // A line that is too long may end with the input, behind a piece that has been handed out.
        guard Interruption.status == nil, count > 0 || isInsideOfLongLine else { return nil }
        // Somebody woke it before a row was whole.
        guard whole > 0 || isAtEnd || count == buffer.count else { return nil }

        let isWholeLine = whole > 0 || isAtEnd
        if !isWholeLine { whole = count }
        rest.insert(contentsOf: buffer[whole..<count], at: 0)
        let bytes = try withoutByteOrderMark(Bytes(rebasing: buffer[..<whole]))
        guard isInsideOfLongLine || !isWholeLine else { return .rows(bytes) }
        let isFirst = !isInsideOfLongLine
        isInsideOfLongLine = !isWholeLine
        return .piece(bytes, isFirst: isFirst, isLast: isWholeLine)
    }

    /// Reads the next chunk, and ends the work where somebody interrupts it.
    func nextUninterrupted(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Chunk? {
        let chunk = try next(into: buffer)
        if let status = Interruption.status { throw ToolError(status: status, message: nil) }
        return chunk
    }

    private func withoutByteOrderMark(_ bytes: Bytes) throws(ToolError) -> Bytes {
        guard isAtStart else { return bytes }
        isAtStart = false
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
            throw .badData("\(stream.name) is UTF-16; save it as UTF-8")
        }
        hasByteOrderMark = bytes.starts(with: "\u{FEFF}".utf8)
        return hasByteOrderMark ? bytes.part(3..<bytes.count) : bytes
    }

    /// Gives back bytes that were read, to come first in the next chunk.
    func unread(_ bytes: Bytes) {
        rest.insert(contentsOf: bytes, at: 0)
    }

    private func endOfWholeRows(_ bytes: Bytes) -> Int {
        if isInsideOfLongLine, let lineFeed = bytes.firstIndex(of: .lineFeed, in: bytes.indices) { return lineFeed + 1 }
        if isAtEnd { return bytes.count }
        if isInsideOfLongLine { return 0 }
        guard format == .csv, bytes.firstIndex(of: .quote, in: bytes.indices) != nil else {
            return bytes.lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
        }
        var scanner = RowScanner(bytes, format: format, isWhole: false)
        while scanner.next() != nil {}
        return scanner.position
    }
}
