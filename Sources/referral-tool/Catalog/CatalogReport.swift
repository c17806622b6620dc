import ReferralBridge
import SiteCheck
import UnlockCatalog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The report on one catalog.
struct CatalogReport {
    struct Finding {
        /// The entry that is left out; `nil` for a note.
        let rejection: Catalog.Rejection?
        let message: String
        let line: Int
        let column: Int
    }

    private let file: String
    private let catalog: Catalog
    /// The offers, if they were requested.
    private let offers: [Offer]?
    /// The entries that are left out, in the order of the file.
    let findings: [Finding]
    /// The notes, in the order of the file.
    private let notes: [Finding]
    /// The result for its signature, if it was requested.
    private let signature: SignatureFile.Outcome?

    /// Whether an operand is an address, and not a file.
    static func isAddress(_ operand: String) -> Bool { operand.contains("://") }

    init(of operand: String, in context: ShopContext?, _ signature: SignatureFile?) throws(ToolError) {
        let name: String
        let bytes: [UInt8]?
        let limit = Catalog.maximumLength
        if Self.isAddress(operand) {
            (name, bytes) = (operand, try Curl.fetch(operand, atMost: limit))
        } else {
            let stream = try operand == "-" ? ByteStream.input : ByteStream(reading: operand)
            (name, bytes) = (stream.name, try stream.readAll(atMost: limit))
        }
        file = name
        do throws(CatalogError) {
            guard let bytes else { throw .tooLarge }
            let catalog = try Catalog(json: Data(bytes))
            self.catalog = catalog
            offers = context.map { Self.offers(of: catalog, in: $0) }
            let text = CatalogText(bytes)
            let rejected = catalog.rejections.map { rejection in
                let place = text.place(of: rejection)
                return (place.offset, Optional(rejection), rejection.description(value: place.value))
            }
            findings = Self.findings(rejected, in: bytes)
            notes = Self.findings(CatalogNotes(on: catalog, text).notes.map { ($0.offset, nil, $0.message) }, in: bytes)
        } catch {
            throw .badData(name + Self.problem(error, in: bytes ?? []))
        }
        self.signature = try signature?.apply(to: operand, bytes ?? [])
    }

    /// The store isn't asked, so every product counts as known.
    private static func offers(of catalog: Catalog, in context: ShopContext) -> [Offer] {
        let products = Set(catalog.items.compactMap(\.productID))
        return catalog.offers(in: context, Holdings(price: { products.contains($0) ? "" : nil }))
    }

    private static func findings(
        _ found: [(offset: Int, rejection: Catalog.Rejection?, message: String)],
        in bytes: [UInt8]
    ) -> [Finding] {
        var positions = TextPositions(bytes)
        return found.sorted { $0.offset < $1.offset }.map { offset, rejection, message in
            let (line, column) = positions.position(at: offset)
            return Finding(rejection: rejection, message: message, line: line, column: column)
        }
    }

    /// `:LINE:COLUMN: MESSAGE` for a file that isn't a catalog, if the error is in one place.
    private static func problem(_ error: CatalogError, in bytes: [UInt8]) -> String {
        let offset: Int
        let message: String
        let text = CatalogText(bytes)
        if error == .notAnObject, let found = text.syntaxError {
            (offset, message) = found
        } else if error == .notAnObject || error == .unknownFormat, let member = Catalog.wrongMember(in: Data(bytes)) {
            let place = text.place(of: member)
            (offset, message) = (place.offset, "The catalog is refused: \(member.description(value: place.value)).")
        } else {
            return ": \(error)"
        }
        var positions = TextPositions(bytes)
        let (line, column) = positions.position(at: offset)
        return ":\(line):\(column): \(message)"
    }

    /// One line per finding and note, one for the catalog, and then one per offer.
    var text: String {
        let file = TerminalText.escaped(file)
        let lines = (findings + notes).sorted { ($0.line, $0.column) < ($1.line, $1.column) }.map { finding in
            "\(file):\(finding.line):\(finding.column): \(finding.rejection == nil ? "note: " : "")"
                + "\(TerminalText.escaped(finding.message))\n"
        }
        var text = lines.joined()
        let leftOut = findings.count { $0.rejection?.isMemberOnly == false }
        text += "\(file): revision \(catalog.revision), \(Self.count(catalog.items.count, "item")), "
        text += "\(Self.count(catalog.rewards.count, "reward")), \(leftOut) left out"
        text += (signature.map { ", " + $0.text } ?? "") + "\n"
        let rows = (offers ?? []).map {
            [TerminalText.escaped($0.item.id.rawValue), $0.state.text, $0.text?.title ?? ""]
        }
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            let title = TerminalText.escaped(row[2])
            text += "  \(cells[0])  \(title.isEmpty ? row[1] : cells[1] + "  " + title)\n"
        }
        return text
    }

    var json: String {
        var members = [
            ("file", JSONText.string(file)), ("revision", String(catalog.revision)),
            ("items", String(catalog.items.count)), ("rewards", String(catalog.rewards.count)),
            ("findings", JSONWriter.array(findings.map(\.json))), ("notes", JSONWriter.array(notes.map(\.json))),
        ]
        if let offers { members.append(("offers", JSONWriter.array(offers.map(\.json)))) }
        if let signature { members.append(("signature", JSONText.string(signature.rawValue))) }
        return JSONText.object(members)
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

private extension CatalogReport.Finding {
    var json: String {
        let entry = rejection.map { rejection in
            [
                ("list", JSONText.string(rejection.list.rawValue)), ("index", String(rejection.index)),
                ("member", rejection.member.map(JSONText.string) ?? "null"),
            ]
        }
        let place = [("line", String(line)), ("column", String(column))]
        return JSONText.object(place + (entry ?? []) + [("message", JSONText.string(message))])
    }
}

private extension Offer {
    var json: String {
        var members = [("id", JSONText.string(item.id.rawValue)), ("state", JSONText.string(state.name))]
        if case .updateFirst(let minimum) = state { members.append(("minimum", JSONText.string(minimum))) }
        return JSONText.object(members + [("title", text.map { JSONText.string($0.title) } ?? "null")])
    }
}

private extension Offer.State {
    var name: String {
        switch self {
        case .hidden: "hidden"
        case .updateFirst: "updateFirst"
        case .included: "included"
        case .owned: "owned"
        case .paid: "paid"
        case .checking: "checking"
        case .waiting: "waiting"
        case .free: "free"
        case .forSale: "forSale"
        case .unavailable: "unavailable"
        }
    }

    var text: String {
        switch self {
        case .updateFirst(let minimum): "update to \(minimum) first"
        case .forSale: "for sale"
        default: name
        }
    }
}
