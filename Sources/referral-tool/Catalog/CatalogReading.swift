import ReferralFoundation
import ReferralSiteCheck
import UnlockCatalog

/// A catalog, with the findings in its text.
struct CatalogReading {
    let bytes: [UInt8]
    let catalog: ShopCatalog
    let text: CatalogText
    private(set) var findings: [CatalogFinding]

    /// Whether something is left out or isn't as it should be.
    var hasProblems: Bool { findings.contains(where: \.kind.isProblem) }

    /// Reads a catalog. Its lines begin with its name.
    init(_ bytes: [UInt8]?, named name: String) throws(ToolError) {
        do throws(CatalogError) {
            guard let bytes else { throw .tooLarge }
            let (catalog, text) = (try ShopCatalog(json: Data(bytes)), CatalogText(bytes))
            let leftOut = catalog.rejections.map(text.finding)
            let notes = CatalogNotes(on: catalog, text).notes
            findings = CatalogFinding.all(
                leftOut + notes.map { CatalogFinding.Unplaced($0.offset, .note, $0.message) },
                in: name,
                bytes
            )
            self.bytes = bytes
            self.catalog = catalog
            self.text = text
        } catch {
            throw .badData("\(whole: name)\(Self.problem(error, in: bytes ?? []))")
        }
    }

    func findings(_ list: CatalogFinding.List) -> [CatalogFinding] { findings.filter { $0.kind.list == list } }

    /// Adds findings in the catalog's text.
    mutating func add(_ found: [CatalogFinding.Unplaced], named name: String) {
        findings += CatalogFinding.all(found, in: name, bytes)
    }

    /// `:LINE:COLUMN: MESSAGE` for a file that isn't a catalog, if the error is in one place.
    private static func problem(_ error: CatalogError, in bytes: [UInt8]) -> Sentence {
        let offset: Int
        let message: Sentence
        let text = CatalogText(bytes)
        if error == .notUTF8, let place = bytes.offsetOfInvalidUTF8 {
            (offset, message) = (place, "\(reason: error)")
        } else if error == .notAnObject, let found = text.json.syntaxError(in: "a catalog") {
            (offset, message) = found
        } else if error == .notAnObject || error == .unknownFormat,
            let member = ShopCatalog.wrongMember(in: Data(bytes))
        {
            let place = text.place(of: member)
            (offset, message) = (
                place.offset, "The catalog is refused: \(whole: member.description(value: place.value))."
            )
        } else {
            return ": \(reason: error)"
        }
        var positions = TextPositions(bytes)
        let (line, column) = positions.position(at: offset)
        return ":\(line):\(column): \(message)"
    }
}
