import UnlockCatalog

/// The files that a catalog's items name, compared with those in a folder.
final class FileComparison {
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
        file.bytes.withUnsafeBufferPointer { text in
            for item in (try? JSONValue(object: text))?.member("items")?.value.array ?? [] {
                let id = item.member("id")?.value.string ?? ""
                for file in item.member("files")?.value.array ?? [] { compare(file, of: id) }
            }
        }
    }

    private func compare(_ file: JSONValue, of item: String) {
        // Without a path, an app leaves the item out.
        guard let member = file.member("path"), let path = member.value.string else { return }
        count += 1
        do throws(ToolError) {
            let (length, digest) = try folder.contents(of: path, in: item)
            set("length", to: "\(length)", in: file, "The file \(quoted: path) has \(length) bytes")
            set("sha256", to: "\"\(digest)\"", in: file, "The file \(quoted: path) has the sha256 \(name: digest)")
        } catch {
            hasMissingFiles = true
            findings.append((member.name.range.lowerBound, error.message ?? ""))
        }
    }

    /// Replaces a wrong value, or adds the member after the last one, with the same white space.
    private func set(_ name: String, to value: String, in file: JSONValue, _ found: Sentence) {
        if let member = file.member(name) {
            guard !member.value.text.utf8.elementsEqual(value.utf8) else { return }
            findings.append((member.name.range.lowerBound, "\(found) in \(whole: folder.name)."))
            edits.append((member.value.range, value))
        } else if let members = file.members, let last = members.last {
            // An app leaves the item out, which is a finding of its own.
            let previous = members.dropLast().last?.value.range.upperBound
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

private extension JSONValue {
    /// A member of an object. If the name is repeated, the last member counts.
    func member(_ name: String) -> (name: JSONValue, value: JSONValue)? {
        members?.last { Name($0.name.content) == Name(name) }
    }
}
