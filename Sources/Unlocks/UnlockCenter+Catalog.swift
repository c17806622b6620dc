extension UnlockCenter {
    /// Uses another catalog.
    ///
    /// An earlier purchase keeps the unlocks that the catalog named then, and gains those that it names now. Purchases
    /// of products that only the new catalog contains are delivered now.
    public func use(_ catalog: ShopCatalog) async {
        self.catalog = catalog
        if state.isStarted { reportRejections() }
        await ask { .catalogChanged(call: $0) }
    }

    /// Asks the source for a newer catalog.
    func loadCatalog() async {
        guard let loader else { return }
        do {
            let new = try await loader.refresh()
            if let date = loader.answerDate, book.isOpen {
                book.note(book.ledger.correction(to: date, at: clock.now().date))
            }
            if let new { return await use(new) }
        } catch {
            onProblem?(.notLoaded(error))
        }
        // The file may have been readable only now.
        let current = loader.current
        if current.revision > catalog.revision { await use(current) }
    }

    /// Reports what the catalog leaves out, once for each catalog.
    func reportRejections() {
        // Two catalogs with the same of both leave out the same.
        guard catalog.revision != reported?.revision || catalog.rejections != reported?.rejections else { return }
        reported = (catalog.revision, catalog.rejections)
        for rejection in catalog.rejections { onProblem?(.leftOut(rejection, revision: catalog.revision)) }
    }

    func updateAssortment() {
        assortment = Assortment(catalog, edition: context.edition)
        book.configure { $0.allowances = assortment.allowances }
    }
}
