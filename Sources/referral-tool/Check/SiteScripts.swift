/// The script files of a site, each read once.
final class SiteScripts {
    struct Script {
        let kind: ScriptKind
        /// The addresses that it imports modules from.
        let imports: [String]

        init(_ bytes: [UInt8]) {
            kind = ScriptKind(bytes)
            imports = Self.imports(in: bytes)
        }
    }

    private var scripts: [String: Script?] = [:]

    /// What stands in a file; `nil` where there is none that can be read.
    func script(at path: String) -> Script? {
        if let known = scripts[path] { return known }
        // Only what is a file is opened: a page may name a pipe.
        let bytes = FileKind(path) == .file ? try? FileContent.text(of: path) : nil
        let script = bytes.map(Script.init)
        scripts[path] = .some(script)
        return script
    }
}

private extension SiteScripts.Script {
    /// Longer addresses are data.
    static let longestAddress = 2048

    /// The strings behind `import`, `import(` and `from`.
    static func imports(in script: [UInt8]) -> [String] {
        var imports: [String] = []
        for keyword in ["import", "from"] {
            let keyword = Array(keyword.utf8)
            var start = 0
            while let found = script.position(of: keyword, from: start) {
                start = found + keyword.count
                var rest = script[start...].drop(while: \.isHTMLSpace)
                if rest.first == UInt8(ascii: "(") { rest = rest.dropFirst().drop(while: \.isHTMLSpace) }
                guard let quote = rest.first, "'\"`".utf8.contains(quote) else { continue }
                let address = rest.dropFirst().prefix(longestAddress)
                guard let end = address.firstIndex(of: quote) else { continue }
                imports.append(String(decoding: address[..<end], as: UTF8.self))
            }
        }
        return imports
    }
}
