import ReferralSiteCheck
import UnlockCatalog

/// A line of the report on a catalog, about a place in it.
struct CatalogFinding {
    enum Kind {
        /// An entry that an app leaves out.
        case leftOut(ShopCatalog.Rejection)
        /// A file that isn't as the catalog describes it.
        case file(path: String)
        /// An entry that an app accepts but that is probably a mistake.
        case note
        /// A length and a digest that were written.
        case change(path: String)

        /// The list that it is in, in JSON.
        var list: List {
            switch self {
            case .leftOut: .findings
            case .file: .files
            case .note: .notes
            case .change: .changes
            }
        }

        /// Whether it is a reason for the exit status 1.
        var isProblem: Bool { ![.notes, .changes].contains(list) }
    }

    enum List: String {
        case findings, notes, files, changes
    }

    /// A finding without its line.
    struct Unplaced {
        let offset: Int
        let kind: Kind
        let message: Sentence

        init(_ offset: Int, _ kind: Kind, _ message: Sentence) {
            self.offset = offset
            self.kind = kind
            self.message = message
        }
    }

    let kind: Kind
    let file: String
    let line: Int
    let column: Int
    private let message: Sentence

    /// Finds the lines of findings in a file, and sorts them.
    static func all(_ found: [Unplaced], in file: String, _ bytes: [UInt8]) -> [CatalogFinding] {
        var positions = TextPositions(bytes)
        return found.sorted { $0.offset < $1.offset }.map { found in
            let (line, column) = positions.position(at: found.offset)
            return CatalogFinding(kind: found.kind, file: file, line: line, column: column, message: found.message)
        }
    }

    /// `FILE:LINE:COLUMN: MESSAGE`.
    var text: String {
        let label = kind.isProblem ? "" : kind.list == .notes ? "note: " : "changed: "
        return "\(TerminalText.escaped(file)):\(line):\(column): \(label)\(message.text)\n"
    }

    var json: String {
        let place = [("line", String(line)), ("column", String(column))]
        let subject: [(String, String)] =
            switch kind {
            case .leftOut(let rejection):
                [
                    ("list", JSONText.string(rejection.list.rawValue)), ("index", String(rejection.index)),
                    ("member", rejection.member.map(JSONText.string) ?? "null"),
                ]
            case .file(let path), .change(let path): [("path", JSONText.string(path))]
            case .note: []
            }
        return JSONText.object(place + subject + [("message", JSONText.string(message.text))])
    }
}
