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
