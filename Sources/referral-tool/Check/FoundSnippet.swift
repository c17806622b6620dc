/// A snippet that a page loads, or may load.
struct FoundSnippet {
    enum State {
        case same, other
        /// It is called like the snippet and lies elsewhere.
        case notLookedInto
    }

    /// How a script comes into the page, as a policy asks.
    enum Way {
        case inline(String)
        case address(Reference)
    }

    /// The element that loads it.
    let element: HTMLElement
    let state: State
    /// The element's own script, and what that imports.
    let ways: [Way]
}

/// Finds the snippets of a page.
struct SnippetSearch {
    private let scripts: SiteScripts
    private let siteRoot: SitePaths.Path?

    /// How deep modules may import one another.
    private static let importsInARow = 64

    private(set) var found: [FoundSnippet] = []

    /// How many scripts lie where they could not be looked into, and are not called like the snippet.
    private(set) var unknownCount = 0

    /// A module runs once, however often it is imported.
    private var modules: Set<Reference> = []

    init(_ page: HTMLPage, in file: SiteFiles.File, _ scripts: SiteScripts) {
        self.scripts = scripts
        let paths = scripts.paths
        let start = { (path: String) in path.hasPrefix("/") ? SitePaths.top : SitePaths.start }
        siteRoot = file.root.map { paths.path($0, in: start($0)) }
        let folder = paths.folder(of: paths.path(file.path, in: start(file.path)))
        let resolver = ReferenceResolver(base: page.base, in: folder, siteRoot: siteRoot, paths)
        for script in page.scripts { look(at: script, resolver) }
    }

    private mutating func look(at script: HTMLPage.Script, _ resolver: ReferenceResolver) {
        let element = script.element
        let isModule = element["type"]?.value.trimmed.asciiLowercased == "module"
        guard let source = element["src"] else {
            let content = SiteScripts.Script(Array(script.text.utf8))
            let way = FoundSnippet.Way.inline(script.text)
            take(content.kind, element, [way])
            followImports(of: content, resolver, element, [way])
            return
        }
        let reference = resolver.reference(to: source.value)
        if !isModule || modules.insert(reference).inserted { take(reference, element, []) }
    }

    /// Looks at the script that an address leads to, and at what that imports.
    private mutating func take(_ reference: Reference, _ element: HTMLElement, _ ways: [FoundSnippet.Way]) {
        let ways = ways + [.address(reference)]
        let isNamedLikeOurs = ["referral-bridge.js", "referral-bridge.min.js"].contains(name(of: reference))
        guard case .file(let path) = reference, let content = scripts.script(at: path) else {
            if isNamedLikeOurs {
                found.append(FoundSnippet(element: element, state: .notLookedInto, ways: ways))
            } else {
                unknownCount += 1
            }
            return
        }
        take(isNamedLikeOurs && content.kind == .somethingElse ? .otherSnippet : content.kind, element, ways)
        let folder = scripts.paths.folder(of: path)
        followImports(of: content, ReferenceResolver(in: folder, siteRoot: siteRoot, scripts.paths), element, ways)
    }

    /// The last component of an address's path.
    private func name(of reference: Reference) -> String {
        switch reference {
        case .file(let path), .unknown(let path): return scripts.paths.name(of: path)
        case .bare(let name): return name
        case .remote(let address):
            var path = address.utf8.prefix { $0 != .questionMark && $0 != UInt8(ascii: "#") }
            while path.last == .slash { path.removeLast() }
            let name = path.lastIndex(of: .slash).map { path[path.index(after: $0)...] } ?? path
            return String(decoding: name, as: UTF8.self)
        }
    }

    private mutating func take(_ kind: ScriptKind, _ element: HTMLElement, _ ways: [FoundSnippet.Way]) {
        switch kind {
        case .snippet: found.append(FoundSnippet(element: element, state: .same, ways: ways))
        case .otherSnippet: found.append(FoundSnippet(element: element, state: .other, ways: ways))
        case .somethingElse: break
        }
    }

    private mutating func followImports(
        of script: SiteScripts.Script,
        _ resolver: ReferenceResolver,
        _ element: HTMLElement,
        _ ways: [FoundSnippet.Way]
    ) {
        guard ways.count <= Self.importsInARow else { return }
        for address in script.imports {
            let isBare = !["/", "./", "../"].contains { address.hasPrefix($0) } && !Reference.hasScheme(address)
            if isBare {
                // A name that a bundler or an import map resolves, as web/package.json has it.
                guard ["referral-bridge", "referral-bridge/min"].contains(address) else { continue }
                guard modules.insert(.bare(address)).inserted else { continue }
                found.append(FoundSnippet(element: element, state: .notLookedInto, ways: ways))
                continue
            }
            let reference = resolver.reference(to: address)
            if modules.insert(reference).inserted { take(reference, element, ways) }
        }
    }
}
