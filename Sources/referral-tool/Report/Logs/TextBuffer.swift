/// The decoded texts of one line, until the next line is read.
final class TextBuffer {
    private var blocks: [UnsafeMutableBufferPointer<UInt8>] = []

    deinit { removeAll() }

    func removeAll() {
        for block in blocks { block.deallocate() }
        blocks.removeAll(keepingCapacity: true)
    }

    func bytes(of text: String) -> Bytes { text.withUTF8Bytes { copy($0) } }

    func copy(_ bytes: some Collection<UInt8>) -> Bytes {
        let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = block.initialize(from: bytes)
        blocks.append(block)
        return Bytes(block)
    }
}
