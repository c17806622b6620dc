/// The path of a file of a site, without `.` and with `..` only at its start. Two paths to the same place are equal.
struct SitePath: Hashable {
    /// The root of a site whose folder isn't known. No path of the system begins with NUL.
    static let unknownRoot = SitePath(text: "\0")

    /// The path for the system; empty for the working directory.
    let text: String

    private init(text: String) { self.text = text }

    /// The path of a file as the system names it.
    init(ofFile path: String) { self = SitePath(text: path.hasPrefix("/") ? "/" : "").appending(path) }

    private var names: [String] { text.utf8.split(separator: ASCII.slash).map { String(Substring($0)) } }

    /// The path of `/`-separated components, relative to this folder. `..` doesn't leave the root.
    func appending(_ components: some StringProtocol, root: SitePath? = nil) -> SitePath {
        let isAbsolute = text.hasPrefix("/")
        let rootCount = root?.names.count ?? 0
        var names = names
        for component in components.utf8.split(separator: ASCII.slash) where !component.elementsEqual(".".utf8) {
            let name = String(decoding: component, as: UTF8.self)
            if name == "..", names.count > rootCount, names.last != ".." {
                names.removeLast()
            } else if name != ".." || root == nil && !isAbsolute {
                names.append(name)
            }
        }
        return SitePath(text: (isAbsolute ? "/" : "") + names.joined(separator: "/"))
    }

    /// The folder that contains this.
    var folder: SitePath {
        guard let slash = text.utf8.lastIndex(of: ASCII.slash) else { return SitePath(text: "") }
        return SitePath(text: slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// The last component, or an empty string.
    var name: String { names.last ?? "" }
}
