/// A text on its way out that is longer than what should lie in memory.
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

    /// Writes what was appended. Where that fails, a regular file is as long as it was before the text began.
    mutating func finish() throws(ToolError) {
        do throws(ToolError) {
            try stream.write(piece)
        } catch {
            stream.takeBack(written)
            throw error
        }
        written += piece.count
        piece.removeAll(keepingCapacity: true)
    }
}
