import UnlockCatalog

/// The files that a catalog's items name, compared with those in a folder.
struct FileComparison {
    /// The number of files in the catalog.
    private(set) var count = 0
    /// The files that are missing or can't be read, and the lengths and digests that are wrong.
    private(set) var findings: [CatalogFile.Finding] = []
    private(set) var hasMissingFiles = false
    private(set) var edits: [(range: Range<Int>, text: String)] = []
    private let text: JSONPlaces
    private let folder: ItemFileFolder

    /// Compares the files, also those of items that an app leaves out.
    init(of catalog: CatalogFile, in folder: ItemFileFolder) {
        text = catalog.text
        self.folder = folder
        for item in catalog.entries[.item] ?? [] {
            let id = text.member("id", of: item)?.string ?? ""
            for file in text.elements(of: "files", in: item) { compare(text.members(of: file), of: id) }
        }
    }

    private mutating func compare(_ members: [JSONPlaces.Member], of item: String) {
        // Without a path, an app leaves the item out.
        guard let name = members.last(where: { $0.name == "path" }), let path = name.string else { return }
        count += 1
        do throws(ItemFileFolder.Problem) {
            let (length, digest) = try folder.contents(of: path, in: item)
            let found: Sentence = "The file \(quoted: path) has"
            replace("length", with: "\(length)", in: members, "\(found) \(length) bytes")
            replace("sha256", with: "\"\(digest)\"", in: members, "\(found) the sha256 \(name: digest)")
        } catch {
            hasMissingFiles = true
            findings.append(CatalogFile.Finding(offset: name.key.lowerBound, message: error.message))
        }
    }

    /// Replaces a wrong value, or adds the member after the last one, with the same white space.
    private mutating func replace(_ name: Name, with value: String, in members: [JSONPlaces.Member], _ found: Sentence)
    {
        if let member = members.last(where: { $0.name == name }) {
            guard !text.bytes[member.value].elementsEqual(value.utf8) else { return }
            let old: Sentence = "its \(name: name.rawValue) in the catalog is \(whole: text.shown(member.value))"
            let message: Sentence = "\(found) in \(whole: folder.name); \(old)."
            findings.append(CatalogFile.Finding(offset: member.key.lowerBound, message: message))
            edits.append((member.value, value))
        } else if let last = members.last {
            // An app leaves the item out, which is a finding of its own.
            let end = last.value.upperBound
            let before = members.dropLast().last.map { $0.value.upperBound..<last.key.lowerBound }
            let (separator, colon) = (
                before.map(text.string) ?? ",", text.string(last.key.upperBound..<last.value.lowerBound)
            )
            edits.append((end..<end, "\(separator)\"\(name.rawValue)\"\(colon)\(value)"))
        }
    }

    /// The catalog with the lengths and digests of the files.
    var edited: [UInt8] {
        var (bytes, end): ([UInt8], Int) = ([], 0)
        for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += self.text.bytes[end..<range.lowerBound] + text.utf8
            end = range.upperBound
        }
        return bytes + text.bytes[end...]
    }
}
