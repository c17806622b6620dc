extension UnlockCenter: Deliveries.Owner {
    func signedTexts(of transactions: Set<Name>) async -> [Name: String] {
        async let unfinished = signedTexts { await $0.unfinishedTransactions() }
        async let all = signedTexts { await $0.allTransactions() }
        return await all.merging(unfinished) { $1 }.filter { transactions.contains($0.key) }
    }

    private func signedTexts(
        in list: @escaping @MainActor (any PurchaseStore) async -> [StoreStatement]
    ) async -> [Name: String] {
        var texts: [Name: String] = [:]
        await ask(list) { _, statements in
            for case .verified(let transaction) in statements {
                texts[Name(transaction.id)] = transaction.signedText
            }
        }
        return texts
    }

    func didDeliver(_ grant: Grant) {
        publishChanges()
        if case .purchase = grant.source { finishSoon() }
    }

    func wake() async {
        let isDue = book.endPause(at: clock.now().date)
        if isDue, !book.isOpen { return await open() }
        publish()
        if isDue { await saveAgain() }
    }
}
