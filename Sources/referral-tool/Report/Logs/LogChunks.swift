/// Reads whole lines of a log.
final class LogChunks {
    /// A line that is longer isn't read.
    static let maximumLine = 1 << 20
    private static let blockSize = 256 << 10

    struct Chunk {
        let lines: Bytes
        /// Whether the chunk is the beginning of a line that is too long.
        let isLong: Bool
    }

    private let stream: ByteStream
    private var rest: [UInt8]
    private var isAtEnd = false

    /// Reads a stream whose beginning is read already.
    init(_ stream: ByteStream, beginning: [UInt8]) {
        self.stream = stream
        rest = beginning.starts(with: RowInput.byteOrderMark) ? Array(beginning.dropFirst(3)) : beginning
    }

    /// Reads the next lines into a buffer with room for the longest line; `nil` at the end.
    func next(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Chunk? {
        var count = buffer.update(fromContentsOf: rest)
        rest.removeAll(keepingCapacity: true)
        var end = Bytes(rebasing: buffer[..<count]).lastIndex(of: ASCII.lineFeed, in: 0..<count)
        while !isAtEnd, count < buffer.count, count < Self.blockSize || end == nil {
            let read = try read(into: UnsafeMutableBufferPointer(rebasing: buffer[count...].prefix(Self.blockSize)))
            end =
                Bytes(rebasing: buffer[..<(count + read)]).lastIndex(of: ASCII.lineFeed, in: count..<count + read)
                ?? end
            count += read
        }
        guard count > 0 else { return nil }
        let isLong = !isAtEnd && end == nil
        let whole = isAtEnd || isLong ? count : (end ?? 0) + 1
        rest.append(contentsOf: buffer[whole..<count])
        if isLong { try skipLine() }
        return Chunk(lines: Bytes(rebasing: buffer[..<whole]), isLong: isLong)
    }

    private func read(into room: UnsafeMutableBufferPointer<UInt8>) throws(ToolError) -> Int {
        let count = try stream.read(into: UnsafeMutableRawBufferPointer(room))
        isAtEnd = count == 0
        return count
    }

    /// Skips the rest of a line that is too long.
    private func skipLine() throws(ToolError) {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.blockSize)
        defer { room.deallocate() }
        while !isAtEnd {
            let count = try read(into: room)
            guard let end = room.prefix(count).firstIndex(of: ASCII.lineFeed) else { continue }
            return rest = Array(room[(end + 1)..<count])
        }
    }
}
