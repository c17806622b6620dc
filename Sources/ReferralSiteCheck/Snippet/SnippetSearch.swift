/// A snippet that a page loads, or may load.
struct FoundSnippet {
    enum State: Equatable {
        /// The script defines what the snippet of this version defines, as it is or as a bundler wrote it.
        case same
        /// The script sets the snippet's global, but lacks other parts.
        case other
        /// The script has the snippet's name, but isn't a file of the site.
        case unread
        /// The script has the snippet's name, but its file doesn't exist, can't be read or is something else.
        case unreadable(path: String, problem: Sentence)
    }

    /// The way in which a page loads a script, for a `Content-Security-Policy`.
    enum Source {
        case inline(hash: String)
        case address(Reference)
    }

    /// The element that loads the snippet.
    let element: HTMLElement
    let state: State
    /// The element's script, and the modules that lead to the snippet.
    let sources: [Source]

    var isUnreadable: Bool { if case .unreadable = state { true } else { false } }
}

/// Finds the snippets on a page.
final class SnippetSearch {
    /// The maximum length of a chain of imports.
    private static let maximumImportDepth = 64

    private let scripts: SiteScripts
    private let siteRoot: SitePath?

    private(set) var found: [FoundSnippet] = []

    /// The elements that would load the snippet if their type were JavaScript's. They don't matter if another element
    /// loads it.
    private(set) var inert: [HTMLElement] = []

    /// The scripts without the snippet's name whose files don't exist or can't be read. Each file is named once per site.
    private(set) var missingParts: [(element: HTMLElement, problem: Sentence)] = []

    /// Whether a script of the page contains the snippet's attributes.
    private(set) var namesReferrers = false

    /// Resolves the page's addresses.
    private let resolver: ReferenceResolver

    /// The modules so far. A module runs once, however often it is imported.
    private var modules: Set<Reference> = []

    init(_ page: HTMLPage, in file: SiteFiles.File, _ scripts: SiteScripts) {
        self.scripts = scripts
        siteRoot = file.root.map(SitePath.init(ofFile:))
        let folder = SitePath(ofFile: file.path).folder
        resolver = ReferenceResolver(base: page.base, in: folder, siteRoot: siteRoot)
        for script in page.scripts { search(script) }
        if found.isEmpty { inert = page.inertScripts.filter(isSnippet).map(\.element) }
    }

    private func isSnippet(_ script: HTMLPage.Script) -> Bool {
        guard let address = script.element["src"] else { return FoundSnippet.State(of: Array(script.text.utf8)) != nil }
        let reference = resolver.reference(to: address.value)
        if hasSnippetName(reference) { return true }
        guard case .file(let path) = reference else { return false }
        return (try? scripts.script(at: path, isInSite: siteRoot != nil).get())?.state != nil
    }

    private func search(_ script: HTMLPage.Script) {
        let element = script.element
        guard let address = element["src"] else {
            let content = SiteScripts.Script(Array(script.text.utf8))
            let isOurs = content.state != nil || !content.imports.isEmpty
            let sources = isOurs ? [FoundSnippet.Source.inline(hash: ContentPolicy.hash(of: script.text))] : []
            return add(content, as: content.state, resolver, element, sources)
        }
        let reference = resolver.reference(to: address.value)
        let isModule = element["type"]?.value.trimmed.asciiLowercased == "module"
        if !isModule || modules.insert(reference).inserted { search(reference, element, []) }
    }

    /// Searches the script at an address, and the modules that it imports.
    private func search(_ reference: Reference, _ element: HTMLElement, _ sources: [FoundSnippet.Source]) {
        let sources = sources + [.address(reference)]
        let hasSnippetName = hasSnippetName(reference)
        guard case .file(let path) = reference else { return add(hasSnippetName ? .unread : nil, element, sources) }
        do {
            let content = try scripts.script(at: path, isInSite: siteRoot != nil).get()
            // A file may also only lead to the snippet.
            let isOther = hasSnippetName && content.state == nil && content.imports.isEmpty
            let other = FoundSnippet.State.unreadable(path: path.text, problem: "it is something else")
            let resolver = ReferenceResolver(in: path.folder, siteRoot: siteRoot)
            add(content, as: isOther ? other : content.state, resolver, element, sources)
        } catch {
            guard !hasSnippetName else {
                return add(.unreadable(path: path.text, problem: error.problem), element, sources)
            }
            if sources.count == 1, scripts.isNew(missing: path) { missingParts.append((element, error.problem)) }
        }
    }

    private func hasSnippetName(_ reference: Reference) -> Bool {
        let name =
            switch reference {
            case .file(let path), .unknown(let path): path.name
            case .remote(let address):
                PercentEncoding.decode(SitePath(ofFile: String(WebAddress(address).path)).name.utf8)
            }
        return ["referral-bridge.js", "referral-bridge.min.js"].contains(name)
    }

    private func add(_ state: FoundSnippet.State?, _ element: HTMLElement, _ sources: [FoundSnippet.Source]) {
        if let state { found.append(FoundSnippet(element: element, state: state, sources: sources)) }
    }

    /// Records a script, and searches the modules that it imports.
    private func add(
        _ script: SiteScripts.Script,
        as state: FoundSnippet.State?,
        _ resolver: ReferenceResolver,
        _ element: HTMLElement,
        _ sources: [FoundSnippet.Source]
    ) {
        namesReferrers = namesReferrers || script.namesReferrers
        add(state, element, sources)
        guard sources.count <= Self.maximumImportDepth else { return }
        for address in script.imports {
            let isRelative = ["/", "./", "../"].contains { address.hasPrefix($0) }
            if isRelative || WebAddress(address).scheme != nil {
                let reference = resolver.reference(to: address)
                if modules.insert(reference).inserted { search(reference, element, sources) }
            } else if ["referral-bridge", "referral-bridge/min"].contains(address),
                modules.insert(.unknown(SitePath(ofFile: address))).inserted
            {
                // A name that a bundler or an import map resolves, as in web/package.json.
                add(.unread, element, sources)
            }
        }
    }
}
