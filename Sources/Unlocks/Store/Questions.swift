/// The questions to the store, numbered by kind, so that a late answer doesn't replace the answer to a later question.
struct Questions {
    /// Questions of one kind.
    struct Kind {
        private var (count, answered) = (0, 0)

        var isAsked: Bool { count > 0 }

        /// The number of the next question.
        mutating func ask() -> Int {
            count += 1
            return count
        }

        /// Whether no later question has been answered.
        func isLatest(_ number: Int) -> Bool { number >= answered }

        mutating func answer(_ number: Int) { answered = number }
    }

    var (purchases, products) = (Kind(), Kind())
    /// The number of questions for the user's purchases that aren't answered yet.
    var waiting = 0
    /// The number of consecutive empty lists of products, and the task that asks again.
    var emptyLists = 0
    var retry: Task<Void, Never>?
    /// The time during which an activation of the app doesn't ask again.
    var pause: Pause?
}
