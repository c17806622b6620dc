import ReferralBridge

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Standard input's lines as strings of a pasteboard, one at a time.
///
/// LF or CRLF ends a line. However long a line is, no more of it is kept than tells what it will be judged to be.
final class InputLines: Sequence, IteratorProtocol {
    /// What kept the rest from being read.
    private(set) var failure: ToolError?

    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
    private var unread = 0..<0

    deinit { buffer.deallocate() }

    func next() -> String? {
        var line = Line()
        while hasMore() {
            let bytes = Bytes(rebasing: buffer[unread])
            guard let end = bytes.firstIndex(of: .lineFeed, in: bytes.indices) else {
                line.append(bytes)
                unread = 0..<0
                continue
            }
            line.append(bytes.part(0..<end))
            unread = (unread.lowerBound + end + 1)..<unread.upperBound
            return line.text
        }
        return line.isUntouched ? nil : line.text
    }

    private func hasMore() -> Bool {
        guard unread.isEmpty else { return true }
        do {
            unread = 0..<(try ByteStream.input.read(into: UnsafeMutableRawBufferPointer(buffer)))
        } catch {
            failure = error
        }
        return !unread.isEmpty
    }
}

/// As much of a line of a pasteboard's strings as tells what it will be judged to be.
struct Line {
    /// One byte more than the longest link.
    private static let limit = 65_537

    private(set) var isUntouched = true

    /// From the first character that is no white space on, up to the limit.
    private var beginning: [UInt8] = []
    private var utf8 = UTF8Check()
    /// Whether anything but white space stands behind the limit.
    private var isTooLong = false

    mutating func append(_ bytes: Bytes) {
        isUntouched = false
        var rest = bytes[...]
        if beginning.isEmpty { rest = rest.drop(while: ASCII.isWhiteSpace) }
        utf8.append(rest)
        let kept = rest.prefix(Self.limit - beginning.count)
        beginning += kept
        rest = rest.dropFirst(kept.count)
        isTooLong = isTooLong || !rest.allSatisfy(ASCII.isWhiteSpace)
    }

    /// The line as it is judged. One that is not UTF-8 is an empty string, which is no link either.
    var text: String {
        guard utf8.isValid else { return "" }
        return String(decoding: beginning, as: UTF8.self) + (isTooLong ? "…" : "")
    }
}

/// Checks text that comes in pieces, which may be cut inside of a character.
private struct UTF8Check {
    private var hasFailed = false
    /// The beginning of a character whose end is still to come.
    private var cutOff: [UInt8] = []

    /// Whether what has come so far is UTF-8 and ends with a whole character.
    var isValid: Bool { !hasFailed && cutOff.isEmpty }

    mutating func append(_ piece: some Sequence<UInt8>) {
        let bytes = cutOff + piece
        let whole = bytes.dropLast(Self.cutOffCount(bytes))
        cutOff = Array(bytes[whole.endIndex...])
        hasFailed = hasFailed || String(bytes: whole, encoding: .utf8) == nil
    }

    /// How many bytes at the end begin a character without ending it: up to three.
    private static func cutOffCount(_ bytes: [UInt8]) -> Int {
        let continuation = bytes.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
        let lead = bytes.dropLast(continuation).last ?? 0
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
        return length > continuation + 1 ? continuation + 1 : 0
    }
}
