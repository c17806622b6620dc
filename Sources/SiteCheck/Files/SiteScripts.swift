import ReferralBridge

/// The script files of a site. Each is read once.
final class SiteScripts {
    struct Script {
        let state: FoundSnippet.State?
        /// The addresses of the modules that the script imports.
        let imports: [String]
        /// Whether the script has to do with the snippet's attributes, and so may add links.
        let namesReferrers: Bool

        init(_ bytes: [UInt8]) {
            state = FoundSnippet.State(of: bytes)
            imports = Self.imports(in: bytes)
            namesReferrers =
                state == nil
                && ["data-referr", "dataset.referr", "ReferralBridge."].contains {
                    bytes.position(of: Array($0.utf8), from: 0) != nil
                }
        }
    }

    let paths = SitePaths()

    private var scripts: [SitePaths.Path: Result<Script, SiteFailure>] = [:]
    private var folders = [SitePaths.workingDirectory: true, SitePaths.top: true, SitePaths.unknownRoot: false]

    /// The script in a file.
    func script(at path: SitePaths.Path) -> Result<Script, SiteFailure> {
        if let known = scripts[path] { return known }
        let script = Result { () throws(SiteFailure) in
            guard isFolder(paths.folder(of: path)) else {
                throw SiteFailure(path: "", problem: "its folder doesn't exist or can't be opened", kind: .missing)
            }
            return try Self.read(paths.text(of: path))
        }
        scripts[path] = script
        return script
    }

    /// Whether a folder exists. If not, the paths of its files needn't be composed.
    private func isFolder(_ path: SitePaths.Path) -> Bool {
        if let known = folders[path] { return known }
        let isFolder =
            !paths.isTooLong(path) && isFolder(paths.folder(of: path))
            && FileStatus(paths.text(of: path))?.kind == .folder
        folders[path] = isFolder
        return isFolder
    }

    private static func read(_ path: String) throws(SiteFailure) -> Script {
        guard let status = FileStatus(path) else {
            throw SiteFailure(path: path, problem: SiteFailure.systemReason, kind: .missing)
        }
        // A page may name a pipe, and opening one would block.
        guard status.kind == .file else {
            throw SiteFailure(path: path, problem: "it is not a file", kind: .unreadable)
        }
        return Script(try FileContent.text(of: path))
    }
}

private extension SiteScripts.Script {
    /// A longer address is data.
    static let maximumAddressLength = 2_048

    /// The string literals after `import`, `import(` and `from`.
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
                let address = rest.dropFirst().prefix(maximumAddressLength)
                guard let end = address.firstIndex(of: quote) else { continue }
                imports.append(String(decoding: address[..<end], as: UTF8.self))
            }
        }
        return imports
    }
}
