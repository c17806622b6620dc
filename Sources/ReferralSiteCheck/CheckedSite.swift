/// A place in one of a site's files.
package struct SitePlace: Equatable {
    package let file: String
    package let line: Int
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension TextPositions {
    package mutating func place(at offset: Int, in file: String) -> SitePlace {
        let (line, column) = position(at: offset)
        return SitePlace(file: file, line: line, column: column)
    }
}

/// A file, and its bytes.
struct SiteDocument {
    let path: String
    let bytes: [UInt8]

    func place(at offset: Int) -> SitePlace {
        var positions = TextPositions(bytes)
        return positions.place(at: offset, in: path)
    }

    /// Whether systems don't read all of it as an association file.
    var isTooLarge: Bool { bytes.count > 128 << 10 }

    /// Problems with their places, in order. Each byte is read once.
    func placed(_ problems: [Rule.Problem]) -> [Rule.SiteProblem] {
        var positions = TextPositions(bytes)
        return problems.sorted { $0.place < $1.place }.map { problem in
            Rule.SiteProblem(positions.place(at: problem.place, in: path), problem.message, isNote: problem.isNote)
        }
    }
}

/// A custom product page in a table, and the places of its UUID and its address.
package struct ListedProductPage {
    let page: ProductPage
    let idPlace: SitePlace
    let linkPlace: SitePlace

    package init(_ page: ProductPage, idPlace: SitePlace, linkPlace: SitePlace) {
        self.page = page
        self.idPlace = idPlace
        self.linkPlace = linkPlace
    }
}

/// The folders of a site, with the information that the rules need, and the app's files.
struct CheckedSite {
    /// A page whose address names the referrer.
    struct ReferrerPage {
        let root: String
        /// The paths at which servers offer the page's file.
        let paths: [String]
        /// The name of the query item with the referrer.
        let item: String
        /// The page's own referrer, if it has one.
        let referrer: String?
        let place: SitePlace

        /// The addresses of the page with a referrer. The host doesn't matter.
        var addresses: [String] { paths.map { "https://example.com\($0)?\(PercentEncoding.encode(item))=anna" } }

        /// Whether the page is at the path of an address. A slash at the end doesn't matter.
        func isAt(_ address: String) -> Bool {
            func withoutSlash(_ path: some StringProtocol) -> String {
                path.hasSuffix("/") ? String(path.dropLast()) : String(path)
            }
            let path = withoutSlash(WebAddress(address).path)
            return paths.contains { withoutSlash($0) == path }
        }

        /// Whether an address is the page's, and contains a referrer.
        func reads(_ address: String) -> Bool {
            let items = (WebAddress(address).query ?? "").split(separator: "&")
            let names = [PercentEncoding.encode(item) + "=", "ed="]
            return isAt(address)
                && (referrer != nil || items.contains { item in names.contains { item.hasPrefix($0) && item != $0 } })
        }
    }

    struct Banner {
        let root: String
        let place: SitePlace
        let clip: String?
        let argument: String?

        init(root: String, place: SitePlace, content: String) {
            self.root = root
            self.place = place
            let items = SmartAppBanner.items(content).filter { !$0.value.isEmpty }
            clip = items["app-clip-bundle-id"]
            argument = items["app-argument"]
        }
    }

    struct Association {
        let document: SiteDocument
        let content: Result<AssociationFile, AssociationFile.Failure>
        /// The members whose form differs from the one that systems expect.
        let members: [Rule.Problem]

        init(_ document: SiteDocument) {
            let document = SiteDocument(path: document.path, bytes: document.bytes.withoutByteOrderMark)
            self.document = document
            content = Result { () throws(AssociationFile.Failure) in try AssociationFile(document.bytes) }
            members = AssociationForm.problems(in: document)
        }

        var file: AssociationFile? { try? content.get() }
    }

    struct Folder {
        let folder: SiteFolder
        let association: Association?
        var landingPages: [ReferrerPage] = []
        var banners: [Banner] = []
    }

    let folders: [Folder]
    let app: AppFiles
    let productPages: [ListedProductPage]
    /// The links to pages and folders outside of the folders.
    let linksOutside: [String]

    /// An association file that can be read.
    struct ReadableFile {
        let folder: Folder
        let document: SiteDocument
        let file: AssociationFile
    }

    /// The association files that can be read.
    var files: [ReadableFile] {
        folders.compactMap { folder in
            folder.association.flatMap { read in
                read.file.map { ReadableFile(folder: folder, document: read.document, file: $0) }
            }
        }
    }

    /// The files without those whose members have other forms than systems expect.
    var wellFormedFiles: [ReadableFile] {
        files.filter { $0.folder.association?.members.allSatisfy(\.isNote) == true }
    }

    /// The apps of an association file that are the given one, or all of them.
    func apps(of file: AssociationFile) -> Set<String> {
        let listed = file.apps.map(\.id)
        let own = app.identity.isKnown ? listed.filter(app.identity.matches) : []
        return Set(own.isEmpty ? listed : own)
    }

    /// The paths at which servers offer a file of a folder: `/get.html` and `/get`, or `/get/` for `get/index.html`.
    static func addressPaths(of file: String, in root: String) -> [String] {
        let components = file.utf8.dropFirst(root.utf8.count).split(separator: ASCII.slash).map {
            String(Substring($0))
        }
        guard let name = components.last else { return ["/"] }
        let folder = components.dropLast().map { "/" + PercentEncoding.encode($0) }.joined() + "/"
        let base = name.utf8.lastIndex(of: ASCII.period).map { String(name[..<$0]) } ?? name
        if base.asciiLowercased == "index" { return [folder] }
        return [name, base].map { folder + PercentEncoding.encode($0) }
    }
}
