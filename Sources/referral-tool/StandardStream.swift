#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Standard input, output and error as they are: Foundation's `FileHandle` would make the static command three times as
/// large.
struct StandardStream {
    static let input = StandardStream(descriptor: STDIN_FILENO, name: "standard input")
    static let output = StandardStream(descriptor: STDOUT_FILENO, name: "standard output")
    static let error = StandardStream(descriptor: STDERR_FILENO, name: "standard error")

    private let descriptor: Int32
    private let name: String

    /// Writes the whole text.
    ///
    /// - Throws: An error without a message where a pipe's reader went away, else one that says why.
    func write(_ text: String) throws(ToolError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if !canTryAgain(after: errno, POLLOUT) {
                let message = errno == EPIPE ? nil : "cannot write to \(name): \(Self.reason)"
                throw ToolError(status: .inputOutput, message: message)
            }
        }
    }

    /// Reads as much as is there, up to the buffer's size; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ToolError) -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if !canTryAgain(after: errno, POLLIN) {
                throw ToolError(status: .inputOutput, message: "cannot read \(name): \(Self.reason)")
            }
        }
    }

    /// Whether the call was interrupted, or the stream is one that does not block and is ready now.
    private func canTryAgain(after code: Int32, _ event: Int32) -> Bool {
        guard code == EAGAIN else { return code == EINTR }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&request, 1, -1) >= 0 || errno == EINTR
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

extension UnsafeRawBufferPointer {
    /// How many bytes stand in front of the first line feed; `nil` where there is none.
    var lineFeed: Int? {
        baseAddress.flatMap { start in memchr(start, 0x0A, count).map { UnsafeRawPointer($0) - start } }
    }
}

/// A C string's bytes, whatever they are.
func bytes(ofCString string: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
}

// Inside of the type these names are its own.
private let systemWrite = write
private let systemRead = read

func exit(_ status: ExitStatus) -> Never { exit(status.rawValue) }
