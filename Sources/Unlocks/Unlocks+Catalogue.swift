public import Catalogues

extension Unlocks {
    /// Uses another catalogue.
    ///
    /// What was bought before keeps what the catalogue said then, and gains what it says now. What only the new one knows is
    /// delivered now.
    public func use(_ catalogue: Catalogue) async {
        self.catalogue = catalogue
        reportRejections()
        publish()
        async let additions: Void = keepAdditions()
        async let claims: Void = takeClaims()
        async let statements: Void = takeLaterStatements()
        async let products: Void = askForProducts()
        _ = await (additions, claims, statements, products)
    }

    /// Writes down what the present catalogue adds to what somebody has, since a later one may not have it.
    func keepAdditions() async {
        let additions = assortment.grants
        do throws(UnlocksError) {
            try await book.change { ledger throws(UnlocksError) in (ledger.keeping(additions), ()) }
        } catch {
            if book.isOpen { trySavingLater(error) }
        }
    }

    /// Reports what the catalogue leaves out, once for each catalogue.
    func reportRejections() {
        guard isStarted, catalogue != reportedCatalogue else { return }
        reportedCatalogue = catalogue
        for rejection in catalogue.rejections { onProblem?(.leftOut(rejection, revision: catalogue.revision)) }
    }

    func updateAssortment() {
        assortment = Assortment(catalogue, edition: context.edition)
        book.follow(additions: assortment.grants)
        forgetStates()
    }
}
