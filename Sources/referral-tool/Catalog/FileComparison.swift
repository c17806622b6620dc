import UnlockCatalog

/// The files that a catalog's items name, compared with those in a folder.
struct FileComparison {
    /// A length or a digest that the catalog lacks, or that replaces another one.
    private struct Edit {
        let path: String
        let message: Sentence
        var range = 0..<0
        var text = ""
        /// The place of the member, from the start of the range.
        var start = 0
    }

    /// The number of files in the catalog.
    private(set) var count = 0
    /// The files that are missing or can't be read.
    private(set) var missing: [CatalogFinding.Unplaced] = []
    /// The lengths and digests that are wrong.
    private(set) var wrong: [CatalogFinding.Unplaced] = []

    private let json: JSONPlaces
    private let folder: ItemFileFolder
    private var edits: [Edit] = []

    var hasEdits: Bool { !edits.isEmpty }

    /// Compares the files, also those of items that an app leaves out.
    init(of text: CatalogText, in folder: ItemFileFolder) {
        json = text.json
        self.folder = folder
        for item in text.entries(of: .item) {
            guard let files = json.member("files", of: item) else { continue }
            let id = json.member("id", of: item)?.string ?? ""
            for file in json.elements(of: files.value) { compare(json.members(of: file.value), of: id) }
        }
    }

    private mutating func compare(_ members: [JSONPlaces.Member], of item: String) {
        // Without a path, an app leaves the item out.
        guard let name = members.last(where: { $0.name == "path" }), let path = name.string else { return }
        count += 1
        do throws(ItemFileFolder.Problem) {
            let contents = try folder.contents(of: path, in: item)
            let length = members.last { $0.name == "length" }
            if length?.number != contents.length {
                let found: Sentence = "has \(contents.length) bytes in \(whole: folder.name)"
                replace(length, "length", with: "\(contents.length)", in: members, path, found)
            }
            let digest = members.last { $0.name == "sha256" }
            if digest?.string.map({ Name($0) }) != Name(contents.digest) {
                let found: Sentence = "has the sha256 \(name: contents.digest) in \(whole: folder.name)"
                replace(digest, "sha256", with: "\"\(contents.digest)\"", in: members, path, found)
            }
        } catch {
            missing.append(CatalogFinding.Unplaced(name.offset, .file(path: path), error.message))
        }
    }

    /// Replaces a member's value, or adds the member after the last one, with the same white space.
    private mutating func replace(
        _ member: JSONPlaces.Member?,
        _ name: String,
        with value: String,
        in members: [JSONPlaces.Member],
        _ path: String,
        _ found: Sentence
    ) {
        var edit = Edit(path: path, message: "the \(name: name) of the file \(quoted: path) is \(name: value)")
        if let member {
            let old: Sentence = "its \(name: name) in the catalog is \(whole: json.text(in: member.value))"
            let message: Sentence = "The file \(quoted: path) \(found); \(old)."
            wrong.append(CatalogFinding.Unplaced(member.offset, .file(path: path), message))
            (edit.range, edit.text, edit.start) = (member.value, value, member.offset - member.value.lowerBound)
        } else if let last = members.last {
            // Without the member, an app leaves the item out.
            let separator = members.dropLast().last.map { text($0.value.upperBound..<last.key.lowerBound) } ?? ","
            let colon = text(last.key.upperBound..<last.value.lowerBound)
            edit.range = last.value.upperBound..<last.value.upperBound
            (edit.text, edit.start) = ("\(separator)\"\(name)\"\(colon)\(value)", separator.utf8.count)
        }
        edits.append(edit)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: json.bytes[range], as: UTF8.self) }

    /// The catalog with the lengths and digests of the files, and where they are.
    var edited: (bytes: [UInt8], changes: [CatalogFinding.Unplaced]) {
        var (bytes, changes): ([UInt8], [CatalogFinding.Unplaced]) = ([], [])
        var end = 0
        for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += json.bytes[end..<edit.range.lowerBound]
            changes.append(
                CatalogFinding.Unplaced(bytes.count + edit.start, .change(path: edit.path), edit.message)
            )
            bytes += edit.text.utf8
            end = edit.range.upperBound
        }
        return (bytes + json.bytes[end...], changes)
    }
}
