extension UnlockCenter {
    /// Uses another catalog.
    ///
    /// An earlier purchase keeps the unlocks that the catalog named then, and gains those that it names now. Purchases
    /// of products that only the new catalog contains are delivered now.
    public func use(_ catalog: ShopCatalog) async {
        self.catalog = catalog
        reportRejections()
        publish()
        deliveries.followCatalog()
        async let additions: Void = keepAdditions()
        async let claims: Void = takeClaims()
        async let statements: Void = takeLaterStatements()
        async let products: Void = askForProducts()
        _ = await (additions, claims, statements, products)
    }

    /// Records what the present catalog adds to the user's purchases, since a later one may not contain it.
    func keepAdditions() async {
        let additions = assortment.additions
        do throws(UnlocksError) {
            try await book.change { ledger throws(UnlocksError) in (ledger.keeping(additions), ()) }
            // Meanwhile, another catalog may be in use.
            publishChanges()
        } catch {
            if book.isOpen { trySavingLater(error) }
        }
    }

    /// Reports what the catalog leaves out, once for each catalog.
    func reportRejections() {
        // Two catalogs with the same of both leave out the same.
        guard book.isStarted, catalog.revision != reported?.revision || catalog.rejections != reported?.rejections
        else { return }
        reported = (catalog.revision, catalog.rejections)
        for rejection in catalog.rejections { onProblem?(.leftOut(rejection, revision: catalog.revision)) }
    }

    func updateAssortment() {
        assortment = Assortment(catalog, edition: context.edition)
        book.follow(additions: assortment.additions, allowances: assortment.allowances)
        observers.forget()
    }
}
