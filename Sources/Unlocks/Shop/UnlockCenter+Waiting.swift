extension UnlockCenter {
    /// Whether what is missing may come by itself in a moment: the folder is being opened, or the store is asked.
    var isLoading: Bool {
        book.isOpen ? questions.waiting > 0 || !questions.purchases.isAsked : book.closed == .notStarted
    }

    /// Whether the store didn't send the products, so that there are no prices.
    var isUnreached: Bool { products == nil && book.isOpen && !isLoading }
}
