/// Finds the line and the column of offsets in a text. The offsets are in ascending order, so that each byte is read once.
///
/// Lines end with LF, CRLF or CR, as in HTML and JSON. Lines and columns count from 1, and columns are Unicode code points.
package struct TextPositions {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// `LINE:COLUMN`.
    package mutating func text(at offset: Int) -> String {
        let (line, column) = position(at: offset)
        return "\(line):\(column)"
    }

    package mutating func position(at end: Int) -> (line: Int, column: Int) {
        while offset < min(end, bytes.count) {
            let byte = bytes[offset]
            offset += 1
            let isCRLF = byte == ASCII.carriageReturn && bytes[offset...].first == ASCII.lineFeed
            if byte == ASCII.lineFeed || byte == ASCII.carriageReturn && !isCRLF {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }
}
