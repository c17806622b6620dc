/// The files of a site's scripts. Each one is read once.
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
            let names = ["data-referr", "dataset.referr", "ReferralBridge."]
            namesReferrers = state == nil && names.contains { bytes.range(of: $0) != nil }
        }
    }

    private var scripts: [SitePath: Result<Script, SiteFailure>] = [:]

    /// The files that don't exist or can't be read and were named before.
    private var missing: Set<SitePath> = []

    /// The folders outside of which the files of their pages aren't read.
    private let boundary: SiteBoundary

    init(_ boundary: SiteBoundary) { self.boundary = boundary }

    /// Whether a missing file is named for the first time.
    func isNew(missing path: SitePath) -> Bool { missing.insert(path).inserted }

    /// The script in a file.
    func script(at path: SitePath, isInSite: Bool) -> Result<Script, SiteFailure> {
        if let known = scripts[path] { return known }
        let script = Result { () throws(SiteFailure) in Script(try read(path, isInSite)) }
        scripts[path] = script
        return script
    }

    private func read(_ path: SitePath, _ isInSite: Bool) throws(SiteFailure) -> [UInt8] {
        let folder = path.folder
        guard folder.text.isEmpty || FileStatus(folder.text)?.kind == .folder else {
            throw SiteFailure(path: "", problem: "its folder doesn't exist or can't be opened", kind: .missing)
        }
        guard let status = FileStatus(path.text) else {
            throw SiteFailure(path: path.text, problem: SiteFailure.systemReason, kind: .missing)
        }
        guard !isInSite || boundary.contains(path.text) else {
            throw SiteFailure(path: path.text, problem: "it is outside of the site's folder", kind: .missing)
        }
        // A page may name a pipe, and opening one would block.
        guard status.kind == .file else {
            throw SiteFailure(path: path.text, problem: "it is not a file", kind: .unreadable)
        }
        return try FileContent.text(FileContent.bytes(of: path.text), of: path.text)
    }
}

private extension SiteScripts.Script {
    /// A longer address contains data.
    static let maximumAddressLength = 2_048

    /// The string literals after `import`, `import(` and `from`.
    static func imports(in script: [UInt8]) -> [String] {
        ["import", "from"].flatMap(script.ends).compactMap { start in
            var rest = script[start...].drop(while: \.isHTMLSpace)
            if rest.first == UInt8(ascii: "(") { rest = rest.dropFirst().drop(while: \.isHTMLSpace) }
            guard let quote = rest.first, "'\"`".utf8.contains(quote) else { return nil }
            let address = rest.dropFirst().prefix(maximumAddressLength)
            return address.firstIndex(of: quote).map { String(decoding: address[..<$0], as: UTF8.self) }
        }
    }
}
