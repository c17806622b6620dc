/// A place in one of a site's files.
package struct SitePlace: Equatable {
    package let file: String
    package let line: Int
    package let column: Int
}

/// A file, and its bytes.
struct SiteDocument {
    let path: String
    let bytes: [UInt8]

    func place(at offset: Int) -> SitePlace { places(at: [offset])[0] }

    /// The places at offsets in ascending order. Each byte is read once.
    func places(at offsets: [Int]) -> [SitePlace] {
        var positions = TextPositions(bytes)
        return offsets.map { offset in
            let (line, column) = positions.position(at: offset)
            return SitePlace(file: path, line: line, column: column)
        }
    }

    /// Whether systems don't read all of it as an association file.
    var isTooLarge: Bool { bytes.count > 128 << 10 }

    /// Problems with their places, in order.
    func placed(_ problems: [Rule.Problem]) -> [Rule.SiteProblem] {
        let problems = problems.sorted { $0.place < $1.place }
        return zip(problems, places(at: problems.map(\.place))).map { problem, place in
            Rule.SiteProblem(place, problem.message, isNote: problem.isNote)
        }
    }
}

/// The folders of a site, with the information that the rules need, and the app's files.
final class CheckedSite {
    /// A page whose address names the referrer.
    struct ReferrerPage {
        let root: String
        let place: SitePlace
        /// The name of the query item with the referrer, or a path whose `*` is the referrer.
        let from: String

        var isPath: Bool { LandingPage.isPath(from) }

        /// The paths at which servers offer the page's file: `/get.html` and `/get`, or `/get/` for `get/index.html`.
        var paths: [String] {
            if isPath { return [from] }
            let components = place.file.utf8.dropFirst(root.utf8.count).split(separator: ASCII.slash)
                .map { String(Substring($0)) }
            guard let name = components.last else { return ["/"] }
            let folder = components.dropLast().map { "/" + PercentEncoding.encode($0) }.joined() + "/"
            let base = name.utf8.lastIndex(of: ASCII.period).map { String(name[..<$0]) } ?? name
            if base.asciiLowercased == "index" { return [folder] }
            return [name, base].map { folder + PercentEncoding.encode($0) }
        }

        /// Whether a link seems to lead to the page, on any host.
        func isTarget(of link: MarkedLink) -> Bool {
            let name = CheckedSite.lastName(link.path)
            return isPath
                ? link.items.contains("") && ("/" + link.path).contains(from.dropLast())
                : link.items.contains(from) && paths.map(CheckedSite.lastName).contains(name)
        }

        /// The addresses of the page with a referrer. The host doesn't matter.
        var addresses: [String] {
            isPath
                ? ["https://example.com\(PercentEncoding.spelled(from.dropLast()))anna"]
                : paths.map { "https://example.com\($0)?\(PercentEncoding.encode(from))=anna" }
        }
    }

    /// A link with items that have a mark of the text around it; the item without a name is the last part of its path.
    typealias MarkedLink = (place: SitePlace, path: String, items: [String])

    struct Banner {
        let root: String
        let place: SitePlace
        /// The bundle identifier of its App Clip.
        let clip: String?
    }

    /// An association file in a folder, or one that was named itself.
    final class Association {
        let document: SiteDocument
        let folder: SiteFolder?
        let content: Result<AssociationFile, AssociationFile.Failure>
        /// The members whose form differs from the one that systems expect.
        let members: [Rule.Problem]

        init(_ path: String, _ bytes: [UInt8], in folder: SiteFolder? = nil) {
            let document = SiteDocument(path: path, bytes: bytes.withoutByteOrderMark)
            (self.document, self.folder) = (document, folder)
            content = Result { () throws(AssociationFile.Failure) in try AssociationFile(document.bytes) }
            members = AssociationForm.problems(in: document)
        }

        var file: AssociationFile? { try? content.get() }

        /// Whether the file can be read, and all members have the forms that systems expect.
        var isWellFormed: Bool { file != nil && members.allSatisfy(\.isNote) }
    }

    let folders: [SiteFolder]
    /// The links to pages and folders outside of the folders.
    let linksOutside: [String]
    var associations: [Association] = []
    var app = AppFiles()
    var landingPages: [ReferrerPage] = []
    var banners: [Banner] = []
    var markedLinks: [MarkedLink] = []

    init(_ site: SiteFiles) { (folders, linksOutside) = (site.folders, site.linksOutside) }

    /// Adds the parts of a page in a folder that the rules need.
    func add(_ page: CheckedPage, of document: SiteDocument, in root: String) {
        let (found, links) = (page.page.banners, page.page.markedLinks)
        banners += zip(found, document.places(at: found.map(\.offset))).map { banner, place in
            let clip = SmartAppBanner.items(banner.value).filter { !$0.value.isEmpty }["app-clip-bundle-id"]
            return Banner(root: root, place: place, clip: clip)
        }
        markedLinks += zip(links, document.places(at: links.map(\.offset))).map { link, place in
            (place, String(WebAddress(link.element.address?.value ?? "").path), link.markedItems)
        }
        let items = page.links.compactMap { $0.element["data-referrer-from"] }.filter { !$0.value.isEmpty }
        landingPages += items.prefix(1).map { item in
            ReferrerPage(root: root, place: document.place(at: item.offset), from: item.value)
        }
    }

    private static func lastName(_ path: String) -> String {
        SitePath(ofFile: PercentEncoding.decode(path.utf8).streamSafe).name
    }

    func landingPages(of association: Association) -> [ReferrerPage] {
        landingPages.filter { $0.root == association.folder?.path }
    }

    func banners(in folder: SiteFolder) -> [Banner] { banners.filter { $0.root == folder.path } }

    /// The apps of an association file that are the given one, or all of them.
    func apps(of file: AssociationFile) -> Set<String> {
        let listed = file.apps.map(\.id)
        let own = app.identity.isKnown ? listed.filter(app.identity.matches) : []
        return Set(own.isEmpty ? listed : own)
    }
}
