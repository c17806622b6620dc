/// The reason why a row is rejected, such as `ct: 41 bytes, at most 40`.
struct RowError: Error {
    /// The column, or the option of the same name; `nil` for the row as a whole.
    let column: String?
    /// A few words or a sentence.
    let problem: Sentence

    init(_ problem: Sentence) {
        column = nil
        self.problem = problem
    }

    init(_ column: String, _ problem: Sentence) {
        self.column = column
        self.problem = problem
    }

    init(_ error: ReferralError) {
        self =
            switch error {
            case .reservedParameterName(let name):
                RowError("param.\(name)", "a payload already has a member with that name")
            case .payloadTooLong: RowError("referrer", "with its parameters, the payload is longer than 8,192 bytes")
            default: RowError("referrer", "\(reason: error)")
            }
    }

    var reason: Sentence { column.map { "\(name: $0): \(problem)" } ?? problem }

    static let notUTF8: Sentence = "not UTF-8; save the table as CSV UTF-8"
}
