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
