extension UnlockCenter: Deliveries.Owner {
    func hear(_ statements: [StoreStatement]) { send(.told(statements)) }

    func didDeliver(_ grant: Grant) {
        if case .purchase = grant.source { send(.delivered) }
    }
}
