/// The width and the height of a PNG, JPEG or WebP image, in pixels, as its header states them.
struct BitmapSize {
    let width: Int
    let height: Int

    /// Returns `nil` for a file of another type or with a damaged header.
    init?(of file: [UInt8]) {
        func number(_ bytes: Range<Int>) -> Int? {
            bytes.upperBound <= file.count ? file[bytes].reduce(0) { $0 << 8 | Int($1) } : nil
        }
        func littleEndian(_ bytes: Range<Int>) -> Int? {
            bytes.upperBound <= file.count ? file[bytes].reversed().reduce(0) { $0 << 8 | Int($1) } : nil
        }
        func isText(_ text: StaticString, at start: Int) -> Bool { file.dropFirst(start).starts(with: text.utf8) }

        let size: (width: Int?, height: Int?)
        if isText("PNG", at: 1), isText("IHDR", at: 12) {
            size = (number(16..<20), number(20..<24))
        } else if file.starts(with: [0xFF, 0xD8]) {
            guard let frame = Self.frame(of: file) else { return nil }
            size = (number(frame + 7..<frame + 9), number(frame + 5..<frame + 7))
        } else if isText("WEBPVP8 ", at: 8) {
            size = (littleEndian(26..<28).map { $0 & 0x3FFF }, littleEndian(28..<30).map { $0 & 0x3FFF })
        } else if isText("WEBPVP8L", at: 8) {
            let bits = littleEndian(21..<25)
            size = (bits.map { $0 & 0x3FFF + 1 }, bits.map { $0 >> 14 & 0x3FFF + 1 })
        } else if isText("WEBPVP8X", at: 8) {
            size = (littleEndian(24..<27).map { $0 + 1 }, littleEndian(27..<30).map { $0 + 1 })
        } else {
            return nil
        }
        guard let width = size.width, let height = size.height, width > 0, height > 0 else { return nil }
        self.width = width
        self.height = height
    }

    /// The position of a JPEG's frame header: the first segment SOF0 to SOF15, except for those with tables.
    private static func frame(of file: [UInt8]) -> Int? {
        var position = 2
        while position + 3 < file.count, file[position] == 0xFF {
            let marker = file[position + 1]
            if marker == 0xFF {
                position += 1
            } else if 0xC0...0xCF ~= marker, ![0xC4, 0xC8, 0xCC].contains(marker) {
                return position
            } else {
                position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
            }
        }
        return nil
    }
}
