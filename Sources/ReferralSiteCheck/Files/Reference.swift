/// The target of an address in a page.
enum Reference: Hashable {
    /// A file of the site.
    case file(SitePath)
    /// An address on the web, with its scheme.
    case remote(String)
    /// A path from the site's root, which isn't known, or a name that a bundler or an import map resolves.
    case unknown(SitePath)
}

/// Resolves the addresses in a page or a script. It resolves the file's base address only once.
struct ReferenceResolver {
    /// The longest base. Servers and file systems reject longer addresses.
    private static let maximumBaseLength = 2_048

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
        guard let base = base.map({ String(decoding: $0.utf8.prefix(Self.maximumBaseLength), as: UTF8.self) }) else {
            return
        }
        let address = WebAddress(base)
        guard address.scheme == nil, address.authority == nil else {
            remoteBase = address.scheme == nil ? "https:" + base : base
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
        if address.scheme != nil { return .remote(text) }
        if address.authority != nil { return .remote("https:" + text) }
        if let remoteBase { return .remote(Self.resolved(address.path, remoteBase)) }
        let path = PercentEncoding.decode(address.path.utf8).streamSafe
        let isAbsolute = path.hasPrefix("/")
        let root = isAbsolute ? siteRoot ?? SitePath.unknownRoot : root
        let target = (isAbsolute ? root ?? folder : folder).appending(path, root: root)
        return root == SitePath.unknownRoot ? .unknown(target) : .file(target)
    }

    /// The address of a path on the web. A base that has no host is the address itself.
    private static func resolved(_ path: Substring, _ base: String) -> String {
        let start = WebAddress(base)
        guard let scheme = start.scheme, let authority = start.authority else { return base }
        let parent = path.hasPrefix("/") ? "" : SitePath(ofFile: "/" + start.path + "x").folder.text
        return "\(scheme)://\(authority)" + SitePath(ofFile: "/\(parent)/\(path)").text
    }
}
