import ReferralBridge

/// What a script is to us.
enum ScriptKind {
    /// It holds the snippet that this command gives out.
    case snippet
    /// It makes the snippet's global, but is not the same.
    case otherSnippet
    case somethingElse

    init(_ script: [UInt8]) {
        guard Self.makesOurGlobal(script) else {
            self = .somethingElse
            return
        }
        let script = Self.normalized(script)
        self = Self.snippets.contains { script.position(of: $0, from: 0) != nil } ? .snippet : .otherSnippet
    }

    /// Whether `….ReferralBridge = {` stands in it, which no page's own script has a reason to write.
    private static func makesOurGlobal(_ script: [UInt8]) -> Bool {
        let name = Array(".ReferralBridge".utf8)
        var start = 0
        while let found = script.position(of: name, from: start) {
            start = found + name.count
            let rest = script[start...].drop(while: ASCII.isWhiteSpace)
            guard rest.first == .equals else { continue }
            if rest.dropFirst().drop(while: ASCII.isWhiteSpace).first == UInt8(ascii: "{") { return true }
        }
        return false
    }

    /// The readable and the minified file, as files and as they stand in an element.
    private static let snippets: [[UInt8]] = [true, false].flatMap { isMinified in
        let file = CopySnippet(isMinified: isMinified).source
        let element = CopySnippet(format: .html(nonce: nil), isMinified: isMinified).source
        let lines = element.split(separator: "\n", omittingEmptySubsequences: false)
        // Without the tags and the marks of a section around it.
        let inlined = lines.dropFirst(2).dropLast(3).joined(separator: "\n")
        return [normalized(Array(file.utf8)), normalized(Array(inlined.utf8))]
    }

    /// A script without the white space at both ends of its lines, and without empty lines: what an editor or a page's formatter
    /// may change.
    private static func normalized(_ script: [UInt8]) -> [UInt8] {
        var normalized: [UInt8] = []
        normalized.reserveCapacity(script.count)
        for line in script.split(whereSeparator: { $0 == .lineFeed || $0 == .carriageReturn }) {
            let start = line.drop(while: ASCII.isWhiteSpace)
            guard let end = start.lastIndex(where: { !ASCII.isWhiteSpace($0) }) else { continue }
            if !normalized.isEmpty { normalized.append(.lineFeed) }
            normalized += start[...end]
        }
        return normalized
    }
}

extension [UInt8] {
    /// Where some other bytes stand first, from a position on. Quick for text whose beginning does not come again in it.
    func position(of other: [UInt8], from start: Int) -> Int? {
        withUnsafeBufferPointer { bytes in
            guard let first = other.first, start <= bytes.count else { return nil }
            var start = start
            while let found = bytes.firstIndex(of: first, in: start..<bytes.count) {
                if bytes[found...].starts(with: other) { return found }
                start = found + 1
            }
            return nil
        }
    }
}
