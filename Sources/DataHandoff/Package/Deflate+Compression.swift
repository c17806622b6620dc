#if canImport(Compression)
import Compression
import Foundation

/// Raw DEFLATE (RFC 1951), which Apple calls `COMPRESSION_ZLIB`.
enum Deflate {
    static let isAvailable = true

    /// Compresses contents as one stream.
    static func compressed(_ contents: [Data]) throws(HandoffError) -> Data {
        var stream = try Stream(COMPRESSION_STREAM_ENCODE)
        defer { stream.end() }
        var output = Data()
        for content in contents { _ = try stream.process(content, isLast: false) { output += $0 } }
        guard try stream.process(Data(), isLast: true, { output += $0 }).isEnded else { throw .corrupt }
        return output
    }

    /// Expands a stream that must result in exactly this number of bytes, and keeps no more than that.
    static func inflated(_ input: Data, length: Int) throws(HandoffError) -> Data {
        var stream = try Stream(COMPRESSION_STREAM_DECODE)
        defer { stream.end() }
        var output = Data()
        func append(_ part: Data) throws(HandoffError) {
            guard output.count + part.count <= length else { throw .trailingBytes }
            output += part
        }
        var (isEnded, left) = try stream.process(input, isLast: false, append)
        if !isEnded {
            // By Apple's documentation, a stream may end only after it was told that there is no more input. But a whole stream
            // that was told so with its first input didn't always end: https://github.com/mw99/DataCompression/pull/18
            do throws(HandoffError) {
                (isEnded, left) = try stream.process(input.suffix(left), isLast: true, append)
            } catch {
                // It is incomplete.
                guard error == .corrupt else { throw error }
            }
        }
        guard output.count == length else { throw .truncated }
        // All bytes are there, but without a last block, more bytes could follow.
        guard isEnded else { throw .corrupt }
        guard left == 0 else { throw .trailingBytes }
        return output
    }
}

private struct Stream {
    private static let chunk = 64 << 10

    private let stream: UnsafeMutablePointer<compression_stream>
    private let buffer: UnsafeMutablePointer<UInt8>

    init(_ operation: compression_stream_operation) throws(HandoffError) {
        stream = .allocate(capacity: 1)
        buffer = .allocate(capacity: Self.chunk)
        guard compression_stream_init(stream, operation, COMPRESSION_ZLIB) == COMPRESSION_STATUS_OK else {
            stream.deallocate()
            buffer.deallocate()
            throw .codecUnavailable
        }
    }

    func end() {
        compression_stream_destroy(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Processes an input until the stream ends.
    ///
    /// - Returns: Whether the stream has ended, and the number of unused bytes of the input.
    mutating func process(
        _ input: Data,
        isLast: Bool,
        _ output: (Data) throws(HandoffError) -> Void
    ) throws(HandoffError) -> (isEnded: Bool, left: Int) {
        // The pointer must stay valid while the stream reads from it.
        let bytes = [UInt8](input)
        return try bytes.withUnsafeBufferPointer { source throws(HandoffError) in
            stream.pointee.src_ptr = source.baseAddress ?? UnsafePointer(buffer)
            stream.pointee.src_size = source.count
            while true {
                let left = stream.pointee.src_size
                stream.pointee.dst_ptr = buffer
                stream.pointee.dst_size = Self.chunk
                let flags = isLast ? Int32(COMPRESSION_STREAM_FINALIZE.rawValue) : 0
                let status = compression_stream_process(stream, flags)
                guard status != COMPRESSION_STATUS_ERROR else { throw .corrupt }
                let count = Self.chunk - stream.pointee.dst_size
                try output(Data(bytes: buffer, count: count))
                let isEnded = status == COMPRESSION_STATUS_END
                // If there is room left in the output, the stream waits for more input. The last input is processed
                // until nothing changes anymore.
                let isWaiting = isLast ? count == 0 && stream.pointee.src_size == left : count < Self.chunk
                if isEnded || isWaiting { return (isEnded, stream.pointee.src_size) }
            }
        }
    }
}
#endif
