/// The path of a file of a site, without `.` and with `..` only at its start. Two paths to the same place are equal.
struct SitePath: Hashable {
    /// The longest path that the system opens, `PATH_MAX` on Linux.
    private static let maximumLength = 4_096

    /// The root of a site whose folder isn't known. No path of the system begins with NUL.
    static let unknownRoot = SitePath(text: "\0")

    /// The path for the system; empty for the working directory.
    private(set) var text: String

    private init(text: String) { self.text = text }

    /// The path of a file as the system names it.
    init(ofFile path: String) { self = SitePath(text: path.hasPrefix("/") ? "/" : "").appending(path) }

    /// The path of `/`-separated components, relative to this folder. `..` doesn't leave the root.
    ///
    /// Of a path that is too long, only the start and the last component are kept: no file has it.
    func appending(_ components: some StringProtocol, root: SitePath? = nil) -> SitePath {
        var path = self
        var (skipped, last) = (0, "")
        for component in components.utf8.split(separator: ASCII.slash) where !component.elementsEqual(".".utf8) {
            let isUp = component.elementsEqual("..".utf8)
            if path.isTooLong, !isUp || skipped > 0 {
                skipped += isUp ? -1 : 1
                last = String(decoding: component, as: UTF8.self)
            } else if !isUp || path != root && (path.text.isEmpty || path.name == "..") {
                path.append(String(decoding: component, as: UTF8.self))
            } else if path != root {
                path = path.folder
            }
        }
        if skipped > 0 { path.append(last) }
        return path
    }

    private mutating func append(_ name: String) {
        if !text.isEmpty, text != "/" { text += "/" }
        text += name
    }

    /// The folder that contains this.
    var folder: SitePath {
        guard let slash = text.utf8.lastIndex(of: ASCII.slash) else { return SitePath(text: "") }
        return SitePath(text: slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// The last component, or an empty string.
    var name: String { text.utf8.split(separator: ASCII.slash).last.map { String(Substring($0)) } ?? "" }

    var isTooLong: Bool { text.utf8.count > Self.maximumLength }
}
