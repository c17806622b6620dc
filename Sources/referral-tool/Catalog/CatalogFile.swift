import ReferralFoundation
import ReferralSiteCheck
import UnlockCatalog

/// A catalog, with what is wrong in its text.
struct CatalogFile {
    /// A line of the report.
    struct Finding {
        let offset: Int
        let message: Sentence
    }

    let name: String
    let text: JSONPlaces
    let catalog: ShopCatalog
    /// The ranges of the entries in the catalog's lists.
    let entries: [ShopCatalog.Rejection.List: [Range<Int>]]
    var findings: [Finding] = []

    /// Reads a catalog, or throws why an app would refuse it as a whole.
    init(_ bytes: [UInt8], named name: String) throws(ToolError) {
        self.name = name
        text = JSONPlaces(bytes: bytes)
        do throws(CatalogError) { catalog = try ShopCatalog(json: Data(bytes)) } catch {
            guard let problem = Self.problem(error, in: text) else {
                throw .badData("\(whole: name): \(reason: error)")
            }
            throw .badData("\(whole: name):\(name: Self.places([problem.offset], in: bytes)[0]): \(problem.message)")
        }
        let (lists, text): ([ShopCatalog.Rejection.List], JSONPlaces) = ([.item, .reward, .section], text)
        entries = Dictionary(
            uniqueKeysWithValues: lists.map { ($0, text.elements(of: Name($0.rawValue + "s"), in: text.whole)) }
        )
        findings = catalog.rejections.map(finding)
    }

    /// The lines of the findings: `FILE:LINE:COLUMN: MESSAGE`.
    var lines: String {
        let findings = findings.sorted { $0.offset < $1.offset }
        let places = Self.places(findings.map(\.offset), in: text.bytes)
        return zip(places, findings).map { "\(TerminalText.escaped(name)):\($0): \($1.message.text)\n" }.joined()
    }

    /// `LINE:COLUMN` for ascending offsets.
    private static func places(_ offsets: [Int], in bytes: [UInt8]) -> [String] {
        var positions = TextPositions(bytes)
        return offsets.map { offset in
            let (line, column) = positions.position(at: offset)
            return "\(line):\(column)"
        }
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

    /// The place of the error in an entry that an app leaves out, and the sentence about it.
    private func finding(on rejection: ShopCatalog.Rejection) -> Finding {
        let entry = entries[rejection.list]?[rejection.index] ?? text.whole
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
        let files = text.elements(of: "files", in: item)
        guard files.count <= CatalogItem.File.maximumCount else { return nil }
        for (index, file) in files.enumerated() {
            if let member = CatalogItem.File.wrongMember(in: Array(text.bytes[file])) { return (index, file, member) }
        }
        let paths = files.map { text.member("path", of: $0)?.string ?? "" }
        guard let path = FileNames.firstInvalid(paths), let index = paths.lastIndex(of: path) else { return nil }
        return (index, files[index], .unsafePath)
    }
}

private extension JSONPlaces {
    /// The place of an invalid member in an object, and its value; the place of the object if it is missing.
    func place(of member: ShopCatalog.WrongMember, in object: Range<Int>) -> (offset: Int, value: String?) {
        guard let wrong = member.name else { return (object.lowerBound, shown(object)) }
        guard let found = self.member(Name(wrong), of: object) else { return (object.lowerBound, nil) }
        return (found.key.lowerBound, shown(found.value))
    }
}
