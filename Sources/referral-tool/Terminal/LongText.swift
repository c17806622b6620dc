/// A text that is written in pieces, because it may be too long for memory.
struct LongText {
    private static let pieceSize = 64 << 10

    private let stream: ByteStream
    private var piece: [UInt8] = []
    private var written = 0

    init(_ stream: ByteStream) { self.stream = stream }

    mutating func append(_ text: some StringProtocol) throws(ToolError) {
        piece += text.utf8
        if piece.count >= Self.pieceSize { try finish() }
    }

    /// Writes the rest. On an error, a regular file is truncated to its length before the text.
    mutating func finish() throws(ToolError) {
        do throws(ToolError) {
            try stream.write(piece)
        } catch {
            stream.truncate(by: written)
            throw error
        }
        written += piece.count
        piece.removeAll(keepingCapacity: true)
    }
}
