/// The target of an address in a page.
enum Reference: Hashable {
    /// A file of the site.
    case file(SitePath)
    /// An address on the web.
    case remote(RemoteAddress)
    /// A path from the site's root, which isn't known.
    case unknown(SitePath)
    /// A name that a bundler or an import map resolves.
    case bare(String)
}

/// An address with a scheme, or one that is relative to such an address.
struct RemoteAddress: Hashable {
    let text: String
    /// The page's `<base href>`, which many addresses share.
    var base: String?

    /// The address with its scheme.
    var resolved: String {
        guard let base else { return text }
        let (start, path) = (WebAddress(base), WebAddress(text).path)
        guard let scheme = start.scheme, let authority = start.authority else { return base }
        let folder =
            path.hasPrefix("/") ? "" : start.path.utf8.lastIndex(of: ASCII.slash).map { start.path[..<$0] } ?? ""
        var components: [Substring.UTF8View] = []
        for component in (folder + "/" + path).utf8.split(separator: ASCII.slash)
        where !component.elementsEqual(".".utf8) {
            if component.elementsEqual("..".utf8) { _ = components.popLast() } else { components.append(component) }
        }
        return "\(scheme)://\(authority)/" + components.map { String(Substring($0)) }.joined(separator: "/")
    }
}

/// Resolves the addresses in a page or a script. It resolves the file's base address only once.
struct ReferenceResolver {
    /// The longest remote base. Servers reject longer addresses.
    private static let maximumRemoteBaseLength = 2_048

    private let siteRoot: SitePath?

    /// The base address, if it has a scheme.
    private var remoteBase: String?

    /// The folder of relative addresses, and the folder that `..` doesn't leave.
    private var folder: SitePath
    private var root: SitePath?

    /// Creates a resolver for the file in a folder. The base is the file's `<base href>`.
    init(base: String? = nil, in folder: SitePath, siteRoot: SitePath?) {
        self.siteRoot = siteRoot
        self.folder = folder
        guard let base else { return }
        let address = WebAddress(base)
        guard address.scheme == nil, address.authority == nil else {
            let start = String(decoding: base.utf8.prefix(Self.maximumRemoteBaseLength), as: UTF8.self)
            remoteBase = address.scheme == nil ? "https:" + start : start
            return
        }
        let parent = address.path.utf8.lastIndex(of: ASCII.slash).map { address.path[...$0] } ?? ""
        let decoded = PercentEncoding.decode(parent.utf8).streamSafe
        if decoded.hasPrefix("/") {
            let top = siteRoot ?? SitePath.unknownRoot
            self.folder = top.appending(decoded, root: top)
            root = top
        } else {
            self.folder = folder.appending(decoded)
        }
    }

    /// The target of an address in the file.
    func reference(to text: String) -> Reference {
        let text = text.trimmed
        let address = WebAddress(text)
        if address.scheme != nil { return .remote(RemoteAddress(text: text)) }
        if address.authority != nil { return .remote(RemoteAddress(text: "https:" + text)) }
        if let remoteBase { return .remote(RemoteAddress(text: text, base: remoteBase)) }
        let path = PercentEncoding.decode(address.path.utf8).streamSafe
        let isAbsolute = path.hasPrefix("/")
        let root = isAbsolute ? siteRoot ?? SitePath.unknownRoot : root
        let target = (isAbsolute ? root ?? folder : folder).appending(path, root: root)
        return root == SitePath.unknownRoot ? .unknown(target) : .file(target)
    }
}
