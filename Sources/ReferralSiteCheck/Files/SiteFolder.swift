/// A folder with a site, and its association file.
struct SiteFolder {
    private static let name = "apple-app-site-association"

    let path: String

    /// The path of the association file. Systems look for it in `.well-known` and beside the pages.
    let association: String?

    /// The path of a file that is called like the association file, but has an extension.
    let misnamed: String?

    /// The path of an association file outside of the named folders, to which a link leads.
    let associationOutside: String?

    init(_ path: String, _ boundary: SiteBoundary) {
        self.path = path
        func isFile(_ path: String) -> Bool { FileStatus(path)?.kind == .file }
        let places = [path.withLastSlash + ".well-known/", path.withLastSlash]
        let files = places.map { $0 + Self.name }.filter(isFile)
        association = files.first(where: boundary.contains)
        associationOutside = files.first { !boundary.contains($0) }
        let others = places.flatMap { place in (FileNames.entries(of: place) ?? []).map { place + $0.name } }
        misnamed =
            association == nil ? others.first { Self.isAssociation($0) && isFile($0) && boundary.contains($0) } : nil
    }

    /// Whether a file is called like the association file, with or without an extension.
    static func isAssociation(_ path: String) -> Bool {
        let last = path.utf8.split(separator: ASCII.slash).last.map { String(Substring($0)) } ?? ""
        return last == name || last.hasPrefix(name + ".")
    }
}
