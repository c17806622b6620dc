import Testing

@testable import Unlocks

/// What the store has reported is known before it is recorded, as far as it can be used.
struct ArrivalsTests {
    @Test("statements are taken once, and only those that can be used are purchases")
    func arrivals() {
        var arrivals = Arrivals(for: "app")
        let good = StoreTransaction(id: "1", productID: "gold", app: "app")
        let statements: [StoreStatement] = [
            .verified(good), .unverified(good, reason: "forged"),
            .verified(StoreTransaction(id: "2", productID: "gold", app: "other")),
            .verified(StoreTransaction(id: "", productID: "gold")),
        ]
        for statement in statements { arrivals.add(statement) }
        #expect(arrivals.transactions == [good])
        #expect(arrivals.take().count == statements.count && arrivals.take().isEmpty && arrivals.transactions.isEmpty)
    }

    @Test("the app's identifier is bytes, and not longer than other names")
    func app() {
        func problem(_ app: String, for own: String?) -> UnlocksProblem? {
            Arrivals(for: own).problem(with: .verified(StoreTransaction(id: "1", productID: "gold", app: app)))
        }
        #expect(problem("caf\u{E9}", for: "caf\u{E9}") == nil)
        guard case .otherApp = problem("cafe\u{301}", for: "caf\u{E9}") else {
            return _ = Issue.record("not another app")
        }
        #expect(problem(String(repeating: "a", count: 256), for: nil) == nil)
        guard case .incomplete = problem(String(repeating: "a", count: 257), for: nil) else {
            return _ = Issue.record("not too long")
        }
    }

    @Test("an answer counts unless a later question was answered")
    func questions() {
        var questions = Questions.Kind()
        #expect(!questions.isAsked)
        let (first, second) = (questions.ask(), questions.ask())
        #expect(questions.isAsked && questions.isLatest(first))
        questions.answer(second)
        #expect(!questions.isLatest(first) && questions.isLatest(second))
    }
}
