/// The purchases that are underway, and the statements of the store that weren't handled yet.
struct Arrivals {
    /// The app whose transactions count; `nil` if all do.
    let app: String?
    /// The products that are being purchased.
    var purchasing: Set<ProductID> = []
    private var statements: [StoreStatement] = []

    init(for app: String?) { self.app = app }

    mutating func add(_ statement: StoreStatement) { statements.append(statement) }

    mutating func take() -> [StoreStatement] {
        defer { statements = [] }
        return statements
    }

    /// The usable transactions among the statements.
    var transactions: [StoreTransaction] { statements.filter { problem(with: $0) == nil }.map(\.transaction) }

    /// Why a statement can't be used; `nil` if it can.
    func problem(with statement: StoreStatement) -> UnlocksProblem? {
        let transaction = statement.transaction
        if case .unverified(_, let reason) = statement { return .notVerified(transaction, reason: reason) }
        if !transaction.id.isName || !transaction.productID.rawValue.isName { return .incomplete(transaction) }
        if let other = transaction.app {
            if !other.isName { return .incomplete(transaction) }
            if let app, Name(other) != Name(app) { return .otherApp(transaction) }
        }
        return nil
    }
}
