/// The reason why a row is rejected, such as `ct: 41 bytes, at most 40`.
final class RowError: Error {
    /// The column, or the option of the same name; `nil` for the row as a whole.
    let column: String?
    /// A few words or a sentence.
    let problem: Sentence

    init(_ problem: Sentence) { (column, self.problem) = (nil, problem) }

    init(_ column: String, _ problem: Sentence) { (self.column, self.problem) = (column, problem) }

    convenience init(_ error: ReferralError) {
        switch error {
        case .reservedParameterName(let name):
            self.init("param.\(name)", "a payload already has a member with that name")
        case .payloadTooLong: self.init("referrer", "with its parameters, the payload is longer than 8,192 bytes")
        default: self.init("referrer", "\(reason: error)")
        }
    }

    var reason: Sentence { column.map { "\(name: $0): \(problem)" } ?? problem }

    static let notUTF8: Sentence = "not UTF-8; save the table as CSV UTF-8"
}

/// Writes the rejected rows unchanged, each after its reason and the number of its line.
///
/// The reason comes first, so that it can be found even if the row is malformed.
struct BadRows: Sendable {
    let format: RowFormat

    /// The first line of the file.
    func header(_ columns: Columns?) -> String {
        guard let columns, let separator = format.separator else { return "" }
        let added = "reason,line,".replacing(",", with: String(UnicodeScalar(separator)))
        return columns.mark + added + String(decoding: columns.header + columns.lineEnd, as: UTF8.self)
    }

    func append(_ row: Row, _ reason: Sentence, to rejects: inout ByteBuffer) {
        if let separator = format.separator {
            rejects.append(format.cell(reason.text))
            rejects.append(separator)
            rejects.append(String(row.line))
            rejects.append(separator)
            rejects.append(row.bytes)
        } else {
            rejects.append("{\"reason\":\(JSONText.string(reason.text)),\"line\":\(row.line),")
            if let object = try? JSONRow(row.bytes), !object.members.isEmpty {
                rejects.append(row.bytes.part((row.bytes.firstIndex(of: ASCII.openBrace) ?? 0) + 1..<row.bytes.count))
            } else {
                rejects.append("\"row\":\(JSONText.string(row.bytes.string))}")
            }
        }
        if row.lineEnd.isEmpty { rejects.append(ASCII.lineFeed) } else { rejects.append(row.lineEnd) }
    }
}
