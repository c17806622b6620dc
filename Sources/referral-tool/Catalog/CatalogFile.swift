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
    let bytes: [UInt8]
    let catalog: ShopCatalog
    var findings: [Finding] = []

    /// Reads a catalog, or throws why an app would refuse it as a whole.
    init(_ bytes: [UInt8], named name: String) throws(ToolError) {
        (self.name, self.bytes) = (name, bytes)
        do throws(CatalogError) { catalog = try ShopCatalog(json: Data(bytes)) } catch {
            guard let problem = Self.problem(error, in: bytes) else {
                throw .badData("\(whole: name): \(reason: error)")
            }
            throw .badData("\(whole: name):\(name: Self.places([problem.offset], in: bytes)[0]): \(problem.message)")
        }
        let (rejections, lists): ([ShopCatalog.Rejection], [ShopCatalog.Rejection.List]) =
            (catalog.rejections, [.item, .reward, .section])
        let findings = JSONValue.withObject(in: bytes) { catalog in
            let entries = Dictionary(uniqueKeysWithValues: lists.map { ($0, catalog.elements(of: $0.rawValue + "s")) })
            return rejections.map { Self.finding(on: $0, in: entries[$0.list]?[$0.index] ?? catalog) }
        }
        self.findings = findings ?? []
    }

    /// The lines of the findings: `FILE:LINE:COLUMN: MESSAGE`.
    var lines: String {
        let findings = findings.sorted { $0.offset < $1.offset }
        let places = Self.places(findings.map(\.offset), in: bytes)
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

    // MARK: Why an app refuses the catalog

    private static func problem(_ error: CatalogError, in bytes: [UInt8]) -> Finding? {
        if error == .notUTF8 {
            return bytes.offsetOfInvalidUTF8.map { Finding(offset: $0, message: "\(reason: error)") }
        }
        guard error == .notAnObject || error == .unknownFormat else { return nil }
        if let found = syntaxError(in: bytes) { return found }
        guard let wrong = ShopCatalog.wrongMember(in: Data(bytes)) else { return nil }
        return JSONValue.withObject(in: bytes) { catalog in
            let (offset, value) = place(of: wrong, in: catalog)
            return Finding(
                offset: offset,
                message: "The catalog is refused: \(whole: wrong.description(value: value))."
            )
        }
    }

    private static func syntaxError(in bytes: [UInt8]) -> Finding? {
        bytes.withUnsafeBufferPointer { text in
            var reader = JSONReader(text)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch {
                return Finding(offset: reader.position, message: message(on: error, at: reader.position, of: bytes))
            }
            return nil
        }
    }

    private static func message(on error: JSONError, at offset: Int, of bytes: [UInt8]) -> Sentence {
        if error == .nestedTooDeeply { return "the JSON has more than 64 levels of nesting" }
        if error == .loneSurrogate { return "an escape before this is half of a character" }
        guard !bytes.starts(with: RowInput.byteOrderMark) else {
            return "the file begins with a byte order mark, which isn't JSON; save the file without one"
        }
        guard offset < bytes.count else { return "the JSON ends too early" }
        let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
        let isFirst = bytes[..<offset].allSatisfy(ASCII.isWhiteSpace)
        let hint: Sentence = isFirst ? "; a catalog is a JSON object, which begins with {" : ""
        return "the JSON is wrong here: \(quoted: String(character)) isn't expected\(hint)"
    }

    // MARK: What an app leaves out

    /// The place of the error in an entry, and the sentence about it.
    private static func finding(on rejection: ShopCatalog.Rejection, in entry: JSONValue) -> Finding {
        if rejection.list == .item, rejection.member == "files", let (index, file, wrong) = wrongFile(of: entry) {
            let (offset, value) = place(of: wrong, in: file)
            let part = ("its file at index \(index)", wrong)
            return Finding(offset: offset, message: "\(whole: rejection.description(value: value, part: part))")
        }
        let (offset, value) = place(of: rejection.wrongMember, in: entry)
        return Finding(offset: offset, message: "\(whole: rejection.description(value: value))")
    }

    /// The first invalid file of an item.
    private static func wrongFile(
        of item: JSONValue
    ) -> (index: Int, file: JSONValue, member: ShopCatalog.WrongMember)? {
        let files = item.elements(of: "files")
        guard files.count <= CatalogItem.File.maximumCount else { return nil }
        for (index, file) in files.enumerated() {
            if let member = CatalogItem.File.wrongMember(in: Array(file.text.utf8)) { return (index, file, member) }
        }
        let paths = files.map { $0.member("path")?.value.string ?? "" }
        guard let path = FileNames.firstInvalid(paths), let index = paths.lastIndex(of: path) else { return nil }
        return (index, files[index], .unsafePath)
    }

    /// The place of an invalid member in an object, and its value; the place of the object if it is missing.
    private static func place(
        of member: ShopCatalog.WrongMember,
        in object: JSONValue
    ) -> (offset: Int, value: String?) {
        guard let wrong = member.name else { return (object.range.lowerBound, object.shown) }
        guard let found = object.member(wrong) else { return (object.range.lowerBound, nil) }
        return (found.name.range.lowerBound, found.value.shown)
    }
}
