import ReferralFoundation
import ReferralSiteCheck
import UnlockCatalog

/// A catalog, with what is wrong in its text.
struct CatalogFile {
    /// A line of the report.
    struct Finding {
        let offset: Int
        let message: Sentence
        /// Whether it is a reason for the exit status 1.
        var isProblem = true
    }

    let name: String
    let text: JSONPlaces
    let catalog: ShopCatalog
    /// The ranges of the entries in `items`, `rewards` and `sections`.
    let entries: [Name: [Range<Int>]]
    var findings: [Finding] = []

    var hasProblems: Bool { findings.contains(where: \.isProblem) }

    /// Reads a catalog, or throws why an app would refuse it as a whole.
    init(_ bytes: [UInt8], named name: String) throws(ToolError) {
        self.name = name
        let text = JSONPlaces(bytes)
        self.text = text
        do throws(CatalogError) { catalog = try ShopCatalog(json: Data(bytes)) } catch {
            guard let problem = Self.problem(error, in: text) else {
                throw .badData("\(whole: name): \(reason: error)")
            }
            throw .badData("\(whole: name):\(name: Self.place(problem.offset, in: bytes)): \(problem.message)")
        }
        let lists: [Name] = ["items", "rewards", "sections"]
        entries = Dictionary(
            uniqueKeysWithValues: lists.map { ($0, text.elements(of: $0, in: text.whole).map(\.value)) }
        )
        findings = catalog.rejections.map(finding) + notes
    }

    /// The lines of the findings: `FILE:LINE:COLUMN: MESSAGE`.
    var lines: String {
        var positions = TextPositions(text.bytes)
        return findings.sorted { $0.offset < $1.offset }.map { finding in
            let (line, column) = positions.position(at: finding.offset)
            return "\(TerminalText.escaped(name)):\(line):\(column): \(finding.message.text)\n"
        }
        .joined()
    }

    private static func place(_ offset: Int, in bytes: [UInt8]) -> String {
        var positions = TextPositions(bytes)
        let (line, column) = positions.position(at: offset)
        return "\(line):\(column)"
    }

    private static func problem(_ error: CatalogError, in text: JSONPlaces) -> (offset: Int, message: Sentence)? {
        if error == .notUTF8 { return text.bytes.offsetOfInvalidUTF8.map { ($0, "\(reason: error)") } }
        guard error == .notAnObject || error == .unknownFormat else { return nil }
        if let found = text.syntaxError { return found }
        return ShopCatalog.wrongMember(in: Data(text.bytes)).map { wrong in
            let (offset, value) = text.place(of: wrong, in: text.whole)
            return (offset, "The catalog is refused: \(whole: wrong.description(value: value)).")
        }
    }

    // MARK: What an app leaves out

    /// The place of the error in a rejected entry, and the sentence about it.
    private func finding(on rejection: ShopCatalog.Rejection) -> Finding {
        let entry = entries[Name(rejection.list.rawValue + "s")]?[rejection.index] ?? text.whole
        if rejection.list == .item, rejection.member == "files", let (index, file, wrong) = wrongFile(in: entry) {
            let (offset, value) = text.place(of: wrong, in: file)
            let part = ("its file at index \(index)", wrong)
            return Finding(offset: offset, message: "\(whole: rejection.description(value: value, part: part))")
        }
        let (offset, value) = text.place(of: rejection.wrongMember, in: entry)
        return Finding(offset: offset, message: "\(whole: rejection.description(value: value))")
    }

    /// The first invalid file of an item.
    private func wrongFile(in item: Range<Int>) -> (index: Int, file: Range<Int>, member: ShopCatalog.WrongMember)? {
        let files = text.elements(of: "files", in: item).map(\.value)
        guard files.count <= CatalogItem.File.maximumCount else { return nil }
        for (index, file) in files.enumerated() {
            if let member = CatalogItem.File.wrongMember(in: Array(text.bytes[file])) { return (index, file, member) }
        }
        let paths = files.map { text.member("path", of: $0)?.string ?? "" }
        guard let path = FileNames.firstInvalid(paths), let index = paths.lastIndex(of: path) else { return nil }
        return (index, files[index], .unsafePath)
    }

    // MARK: What an app ignores

    private static let known: [Name: [Name]] = [
        "": ["format", "revision", "issued", "staleAfter", "items", "rewards", "sections"],
        "items": [
            "id", "product", "kind", "amount", "days", "refill", "warnAt", "grants", "enabled", "free", "includedIn",
            "platforms", "minVersion", "maxVersion", "belowMinimum", "page", "icon", "pictures", "about", "text",
            "files",
        ],
        "rewards": [
            "id", "for", "program", "every", "parameter", "value", "grants", "limit", "amount", "after", "signed",
        ],
        "sections": ["items", "text"],
    ]

    /// Notes on members that no app reads, which are probably misspelled.
    private var notes: [Finding] {
        Self.known.flatMap { list, known in
            (entries[list] ?? [text.whole]).flatMap(text.members).filter { !known.contains($0.name) }.map { member in
                let name = member.name.rawValue
                let lowercase = known.first {
                    $0.rawValue.asciiLowercased.utf8.elementsEqual(name.asciiLowercased.utf8)
                }
                let hint =
                    lowercase.map { "; did you mean \(quoted: $0.rawValue)?" as Sentence }
                    ?? Spelling.suggestion(for: name, among: known.map(\.rawValue))
                let message: Sentence = "note: no app reads the member \(quoted: name)\(hint)"
                return Finding(offset: member.key.lowerBound, message: message, isProblem: false)
            }
        }
    }
}

private extension JSONPlaces {
    /// The place of an invalid member in an object, and its value; the place of the object if it is missing.
    func place(of member: ShopCatalog.WrongMember, in object: Range<Int>) -> (offset: Int, value: String?) {
        guard let wrong = member.name else { return (object.lowerBound, text(in: object)) }
        guard let found = self.member(Name(wrong), of: object) else { return (object.lowerBound, nil) }
        return (found.key.lowerBound, text(in: found.value))
    }
}
