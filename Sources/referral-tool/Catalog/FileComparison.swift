import UnlockCatalog

/// The files that a catalog's items name, compared with those in a folder.
struct FileComparison {
    /// The number of files in the catalog.
    private(set) var count = 0
    /// The files that are missing or can't be read, and the lengths and digests that are wrong.
    private(set) var findings: [CatalogFile.Finding] = []
    private(set) var hasMissingFiles = false
    private(set) var edits: [(range: Range<Int>, text: String)] = []
    private let bytes: [UInt8]
    private let folder: ItemFileFolder

    /// Compares the files, also those of items that an app leaves out.
    init(of file: CatalogFile, in folder: ItemFileFolder) {
        (bytes, self.folder) = (file.bytes, folder)
        JSONValue.withObject(in: file.bytes) { catalog in
            for item in catalog.elements(of: "items") {
                let id = item.member("id")?.value.string ?? ""
                for file in item.elements(of: "files") { compare(file, of: id) }
            }
        }
    }

    private mutating func compare(_ file: JSONValue, of item: String) {
        // Without a path, an app leaves the item out.
        guard let member = file.member("path"), let path = member.value.string else { return }
        count += 1
        do throws(ItemFileFolder.Problem) {
            let (length, digest) = try folder.contents(of: path, in: item)
            let found: Sentence = "The file \(quoted: path) has"
            set("length", to: "\(length)", in: file, "\(found) \(length) bytes")
            set("sha256", to: "\"\(digest)\"", in: file, "\(found) the sha256 \(name: digest)")
        } catch {
            hasMissingFiles = true
            findings.append(CatalogFile.Finding(offset: member.name.range.lowerBound, message: error.message))
        }
    }

    /// Replaces a wrong value, or adds the member after the last one, with the same white space.
    private mutating func set(_ name: String, to value: String, in file: JSONValue, _ found: Sentence) {
        if let member = file.member(name) {
            guard !member.value.text.utf8.elementsEqual(value.utf8) else { return }
            let old: Sentence = "its \(name: name) in the catalog is \(whole: member.value.shown)"
            let message: Sentence = "\(found) in \(whole: folder.name); \(old)."
            findings.append(CatalogFile.Finding(offset: member.name.range.lowerBound, message: message))
            edits.append((member.value.range, value))
        } else if let last = file.members.last {
            // An app leaves the item out, which is a finding of its own.
            let previous = file.members.dropLast().last?.value.range.upperBound
            let separator = previous.map { text($0..<last.name.range.lowerBound) } ?? ","
            let (colon, end) = (last.name.range.upperBound..<last.value.range.lowerBound, last.value.range.upperBound)
            edits.append((end..<end, "\(separator)\"\(name)\"\(text(colon))\(value)"))
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The catalog with the lengths and digests of the files.
    var edited: [UInt8] {
        var (edited, end): ([UInt8], Int) = ([], 0)
        for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            edited += bytes[end..<range.lowerBound] + text.utf8
            end = range.upperBound
        }
        return edited + bytes[end...]
    }
}
