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

    let paths = SitePaths()

    private var scripts: [SitePaths.Path: Script?] = [:]
    private var folders = [SitePaths.start: true, SitePaths.top: true]

    /// What stands in a file; `nil` where there is none that can be read.
    func script(at path: SitePaths.Path) -> Script? {
        if let known = scripts[path] { return known }
        let script = isFolder(paths.folder(of: path)) ? paths.text(of: path).flatMap(Self.read) : nil
        scripts[path] = .some(script)
        return script
    }

    /// Whether there is a folder. Where there is none, the paths of the files in it need not be put together.
    private func isFolder(_ path: SitePaths.Path) -> Bool {
        if let known = folders[path] { return known }
        let text = paths.text(of: path)
        let isFolder = text != nil && isFolder(paths.folder(of: path)) && text.flatMap(FileKind.init) == .folder
        folders[path] = isFolder
        return isFolder
    }

    private static func read(_ path: String) -> Script? {
        // Only what is a file is opened: a page may name a pipe.
        guard FileKind(path) == .file else { return nil }
        return (try? FileContent.text(of: path)).map(Script.init)
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
