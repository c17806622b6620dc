import ReferralBridge

extension FoundSnippet.State {
    /// Determines whether a script is the snippet; `nil` if it is something else.
    init?(of script: [UInt8]) {
        guard Self.setsGlobal(script) else { return nil }
        let script = Self.normalized(script)
        self = Self.snippets.contains { script.position(of: $0, from: 0) != nil } ? .same : .other
    }

    /// Whether the script contains `….ReferralBridge = {`, which a page's own script has no reason to write.
    private static func setsGlobal(_ script: [UInt8]) -> Bool {
        let name = Array(".ReferralBridge".utf8)
        var start = 0
        while let found = script.position(of: name, from: start) {
            start = found + name.count
            let rest = script[start...].drop(while: ASCII.isWhiteSpace)
            guard rest.first == ASCII.equals else { continue }
            if rest.dropFirst().drop(while: ASCII.isWhiteSpace).first == ASCII.openBrace { return true }
        }
        return false
    }

    /// The readable and the minified snippet, each as a file and as the text of an element.
    private static let snippets: [[UInt8]] = [true, false].flatMap { isMinified in
        let file = CopySnippet(isMinified: isMinified).source
        return [file, CopySnippet.inlined(file)].map { normalized(Array($0.utf8)) }
    }

    /// A script without empty lines and without white space at the ends of its lines, which editors and formatters change.
    private static func normalized(_ script: [UInt8]) -> [UInt8] {
        var normalized: [UInt8] = []
        normalized.reserveCapacity(script.count)
        for line in script.split(whereSeparator: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }) {
            let start = line.drop(while: ASCII.isWhiteSpace)
            guard let end = start.lastIndex(where: { !ASCII.isWhiteSpace($0) }) else { continue }
            if !normalized.isEmpty { normalized.append(ASCII.lineFeed) }
            normalized += start[...end]
        }
        return normalized
    }
}
