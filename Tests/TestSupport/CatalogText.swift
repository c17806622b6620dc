package import Foundation

/// A catalog as a case of the vectors gives it: as text or in base64, perhaps with many entries in the place of a mark, and with
/// spaces up to a length in bytes.
package protocol CatalogText: Decodable {
    var json: String? { get }
    var base64: Data? { get }
    var fill: CatalogFill? { get }
    var padTo: Int? { get }
}

/// Entries in the place of a mark, of which each has its number for `#`.
package struct CatalogFill: Decodable, Sendable {
    let mark: String
    let entry: String
    let count: Int
}

extension CatalogText {
    package var bytes: Data {
        var text = json ?? ""
        if let fill {
            let entries = (1...fill.count).map { fill.entry.replacing("#", with: String($0)) }
            text = text.replacing(fill.mark, with: entries.joined(separator: ","))
        }
        let bytes = base64 ?? Data(text.utf8)
        return bytes + Data(repeating: UInt8(ascii: " "), count: max(0, (padTo ?? 0) - bytes.count))
    }
}
