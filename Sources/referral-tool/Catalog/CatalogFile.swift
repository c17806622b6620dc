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
