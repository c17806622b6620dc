import ReferralFoundation
import ReferralSiteCheck
import UnlockCatalog

/// A catalog, with what is wrong in its text.
final class CatalogFile {
    typealias Finding = (offset: Int, message: Sentence)

    let name: String
    let bytes: [UInt8]
    let catalog: ShopCatalog
    var findings: [Finding]

    /// Reads a catalog, or throws why an app would refuse it as a whole.
    init(_ bytes: [UInt8], named name: String) throws(ToolError) {
        (self.name, self.bytes) = (name, bytes)
        do throws(CatalogError) { catalog = try ShopCatalog(json: Data(bytes)) } catch {
            let (offset, message) = Self.reason(for: error, bytes)
            var places = TextPositions(bytes)
            throw .badData("\(whole: name):\(name: places.text(at: offset)): \(message)")
        }
        findings = catalog.rejections.map { ($0.offset, "\(whole: $0.description)") }
    }

    /// What an app reads in it.
    var summary: [String] {
        [
            "revision \(catalog.revision)", CountText.count(catalog.items.count, "item"),
            CountText.count(catalog.rewards.count, "reward"),
            "\(catalog.rejections.count { !$0.isMemberOnly }) left out",
        ]
    }

    /// The lines of the findings: `FILE:LINE:COLUMN: MESSAGE`.
    var lines: String {
        var places = TextPositions(bytes)
        return findings.sorted { $0.offset < $1.offset }
            .map { "\(name.shown(upTo: .max)):\(places.text(at: $0.offset)): \($0.message.text)\n" }.joined()
    }

    private static func reason(for refusal: CatalogError, _ bytes: [UInt8]) -> Finding {
        if case .wrongMember(let member) = refusal { return (member.offset, "\(reason: refusal)") }
        let (error, offset) = bytes.withUnsafeBufferPointer { text -> (JSONError?, Int) in
            var reader = JSONReader(text)
            do throws(JSONError) { try reader.readObject { _, _ in } } catch { return (error, reader.position) }
            return (nil, 0)
        }
        switch error {
        case .invalid where offset == bytes.count: return (offset, "the JSON ends too early")
        case .invalid where bytes.starts(with: RowInput.byteOrderMark):
            return (0, "the file begins with a byte order mark, which isn't JSON; save the file without one")
        case .invalid where bytes.offsetOfInvalidUTF8 == nil:
            let character = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1)
            return (offset, "\(quoted: String(character)) isn't expected here; a catalog is a JSON object")
        case .nestedTooDeeply: return (offset, "the JSON has more than 64 levels of nesting")
        case .loneSurrogate: return (offset, "an escape before this is half of a character")
        default: return (bytes.offsetOfInvalidUTF8 ?? 0, "\(reason: refusal)")
        }
    }
}

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

/// The folder with the files of a catalog's items: `--files`.
struct ItemFileFolder {
    let name: String
    private let boundary: SiteBoundary

    init(_ path: String) throws(ToolError) {
        (name, boundary) = (path, SiteBoundary([path]))
        // It contains itself.
        guard boundary.contains(path) else {
            throw ToolError(status: .noInput, message: "can't read \(quoted: path): it is not a folder")
        }
    }

    /// The length of an item's file and its SHA-256. It is in the folder with the item's name, or else at its path. No name and
    /// no link leads out of the folder.
    func contents(of path: String, in item: String) throws(ToolError) -> (length: Int, digest: String) {
        var problem: Sentence = "isn't in \(whole: name)"
        for candidate in ["\(name)/\(item)/\(path)", "\(name)/\(path)"] where !candidate.utf8.contains(0) {
            // A pipe would block.
            let stream = ByteStream(descriptor: open(candidate, O_RDONLY | O_CLOEXEC | O_NONBLOCK), name: path)
            guard stream.descriptor >= 0 else {
                if [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) { continue }
                problem = "can't be read: \(reason: ByteStream.reason)"
                break
            }
            defer { stream.close() }
            guard boundary.contains(candidate) else {
                problem = "is outside of \(whole: name)"
                continue
            }
            if stream.size != nil { return try Self.contents(of: stream) }
            problem = "isn't a regular file in \(whole: name)"
            break
        }
        throw .badData("The file \(quoted: path) \(problem).")
    }

    private static func contents(of stream: ByteStream) throws(ToolError) -> (length: Int, digest: String) {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256 << 10)
        defer { room.deallocate() }
        var (length, hash) = (0, SHA256())
        while case let count = try stream.read(into: room[...]), count > 0 {
            length += count
            hash.update(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: room[..<count])))
        }
        return (length, hash.finish().hexadecimal)
    }
}
