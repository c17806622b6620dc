extension FoundSnippet.State {
    /// Determines whether a script is the snippet; `nil` if it is something else.
    ///
    /// Bundlers rename variables, rewrite syntax and change white space. The names of properties, attributes and events stay.
    init?(of script: [UInt8]) {
        guard Self.setsGlobal(script) else { return nil }
        self = Self.words(of: script).isSuperset(of: Self.snippetWords) ? .same : .other
    }

    /// Whether the script contains `….ReferralBridge = {`, which a page's own script has no reason to write.
    private static func setsGlobal(_ script: [UInt8]) -> Bool {
        script.ends(of: ".ReferralBridge").contains { start in
            let rest = script[start...].drop(while: ASCII.isWhiteSpace)
            return rest.first == ASCII.equals
                && rest.dropFirst().drop(while: ASCII.isWhiteSpace).first == ASCII.openBrace
        }
    }

    private static let snippetWords = words(of: Array(CopySnippet().source.utf8))

    /// The words of at least 7 letters, so that neither keywords nor a minifier's own names are among them.
    private static func words(of script: [UInt8]) -> Set<[UInt8]> {
        Set(script.split { !ASCII.isLetter($0) }.lazy.filter { 7...32 ~= $0.count }.map(Array.init))
    }
}
