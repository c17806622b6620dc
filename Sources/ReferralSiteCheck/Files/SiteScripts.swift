/// The files of a site's scripts and frames. Each one is read once.
final class SiteScripts {
    struct Script {
        let state: FoundSnippet.State?
        /// The addresses of the modules that the script imports.
        let imports: [String]
        /// Whether the script contains the snippet's attributes, so it may add links.
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
    private var frames: [SitePaths.Path: Result<FrameLinks, SiteFailure>] = [:]
    private var folders = [SitePaths.workingDirectory: true, SitePaths.top: true, SitePaths.unknownRoot: false]

    /// The files that don't exist or can't be read and were named before.
    private var missing: Set<SitePaths.Path> = []

    /// Whether a missing file is named for the first time.
    func isNew(missing path: SitePaths.Path) -> Bool { missing.insert(path).inserted }

    /// The script in a file.
    func script(at path: SitePaths.Path) -> Result<Script, SiteFailure> {
        if let known = scripts[path] { return known }
        let script = Result { () throws(SiteFailure) in Script(try read(path)) }
        scripts[path] = script
        return script
    }

    /// The links of the page in a frame. Servers add `.html` to an address, or `index.html` to a folder's address.
    func frame(at path: SitePaths.Path) -> Result<FrameLinks, SiteFailure> {
        if let known = frames[path] { return known }
        let name = paths.name(of: path) + ".html"
        let files = [path, paths.path(name, in: paths.folder(of: path)), paths.path("index.html", in: path)]
        let file = files.first { isFolder(paths.folder(of: $0)) && FileStatus(paths.text(of: $0))?.kind == .file }
        let frame = Result { () throws(SiteFailure) in
            let isXML = paths.name(of: path).asciiLowercased.hasSuffix(".xhtml")
            return FrameLinks(HTMLPage(try read(file ?? path), isXML: isXML))
        }
        frames[path] = frame
        return frame
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

    private func read(_ path: SitePaths.Path) throws(SiteFailure) -> [UInt8] {
        guard isFolder(paths.folder(of: path)) else {
            throw SiteFailure(path: "", problem: "its folder doesn't exist or can't be opened", kind: .missing)
        }
        let path = paths.text(of: path)
        guard let status = FileStatus(path) else {
            throw SiteFailure(path: path, problem: SiteFailure.systemReason, kind: .missing)
        }
        // A page may name a pipe, and opening one would block.
        guard status.kind == .file else {
            throw SiteFailure(path: path, problem: "it is not a file", kind: .unreadable)
        }
        return try FileContent.text(of: path)
    }
}

private extension SiteScripts.Script {
    /// A longer address contains data.
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
