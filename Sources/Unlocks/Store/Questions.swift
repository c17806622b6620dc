/// The questions to the store, each kind by number, so that a late answer doesn't replace the answer to a later question.
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

        /// Whether no later question was answered.
        func isLatest(_ number: Int) -> Bool { number >= answered }

        mutating func answer(_ number: Int) { answered = number }
    }

    var (purchases, products) = (Kind(), Kind())
    /// How many questions for all that the user has are waited for.
    var waiting = 0
    /// The time in which an activation of the app is no reason to ask again.
    var pause: Pause?
}
