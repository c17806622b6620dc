import ReferralBridge

/// Tells the line and the column of places in a page, which must be asked for in the page's order: each byte is looked at once.
///
/// Lines end with LF, CRLF or CR, as HTML has it. Both count from 1; columns count characters, that is Unicode's code points.
struct Places {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func place(of offset: Int) -> (line: Int, column: Int) {
        while position < min(offset, bytes.count) {
            let byte = bytes[position]
            position += 1
            let isLineEnd =
                byte == .lineFeed
                || byte == .carriageReturn && (position == bytes.count || bytes[position] != .lineFeed)
            if isLineEnd {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
