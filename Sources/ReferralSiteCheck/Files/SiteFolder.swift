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

    /// The folder in this one that has the association file, if it isn't this folder itself: `public` or `static`. Most
    /// build tools copy their contents to the root of the site.
    let source: String?

    /// The roots of pages in this folder.
    var roots: [String] { (source.map { [path.withLastSlash + $0] } ?? []) + [path] }

    init(_ path: String, _ boundary: SiteBoundary) {
        self.path = path
        func places(_ folder: String) -> [String] { [folder + ".well-known/", folder] }
        func isFile(_ path: String) -> Bool { FileStatus(path)?.kind == .file && boundary.contains(path) }
        let folders = ["", "public/", "static/"].map { path.withLastSlash + $0 }
        let found = folders.first { places($0).contains { isFile($0 + Self.name) } }
        association = found.flatMap { places($0).map { $0 + Self.name }.first(where: isFile) }
        associationOutside = folders.flatMap(places).map { $0 + Self.name }
            .first { FileStatus($0)?.kind == .file && !boundary.contains($0) }
        source = found.flatMap { $0 == folders[0] ? nil : String($0.dropFirst(folders[0].count).dropLast()) }
        let others = places(folders[0]).flatMap { place in
            (SiteFiles.entries(of: place) ?? []).map { place + $0.name }
        }
        misnamed = found == nil ? others.first { Self.isAssociation($0) && isFile($0) } : nil
    }

    /// Whether a file is called like the association file, with or without an extension.
    static func isAssociation(_ path: String) -> Bool {
        let last = path.utf8.split(separator: ASCII.slash).last.map { String(Substring($0)) } ?? ""
        return last == name || last.hasPrefix(name + ".")
    }
}
