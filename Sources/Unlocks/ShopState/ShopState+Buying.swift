/// Buying, finishing and restoring.
extension ShopState {
    struct Buy: Sendable, Equatable {
        let product: ProductID
        let isSubscription: Bool
        /// Whether the store was asked again, since it had answered with an earlier purchase.
        var isSecond = false
    }

    struct Restore: Sendable, Equatable {
        /// What the user had bought before.
        let before: Set<UnlockID>
        var failure: Failure?
    }

    /// An error of the store.
    struct Failure: Sendable, Equatable {
        let error: any Error

        static func == (left: Self, right: Self) -> Bool { "\(left.error)" == "\(right.error)" }
    }

    /// The products that are being purchased.
    var purchasing: Set<ProductID> { Set(buys.values.map(\.product)) }
}

// MARK: - Buying

extension ShopState {
    mutating func buy(_ product: ProductID, isSubscription: Bool, _ call: Int, _ facts: Facts) {
        buys[call] = Buy(product: product, isSubscription: isSubscription)
        purchase(call, facts)
    }

    mutating func purchase(_ call: Int, _ facts: Facts) {
        guard let product = buys[call]?.product else { return }
        ask(.purchase(call: call, grantCount: facts.ledger.all.count)) { .purchase($0, product, call: call) }
    }

    mutating func purchased(
        _ call: Int,
        _ grantCount: Int,
        _ result: Result<StorePurchaseResult, any Error>,
        _ facts: Facts
    ) {
        switch result {
        case .failure(let error): endBuy(call, .failure(error), facts)
        case .success(.cancelled): endBuy(call, .success(.cancelled), facts)
        case .success(.pending):
            if let product = buys[call]?.product { pendingProducts.insert(product) }
            endBuy(call, .success(.waiting), facts)
        case .success(.purchased(let statement)):
            record([statement], .purchase(call: call, statement, grantCount: grantCount), nil, facts)
        }
    }

    mutating func recordedPurchase(_ statement: StoreStatement, _ call: Int, _ grantCount: Int, _ facts: Facts) {
        guard let buy = buys[call] else { return }
        if let reason = problem(with: statement) {
            return endBuy(call, .failure(UnlocksError.notVerified(reason)), facts)
        }
        // It was refunded at once.
        if statement.transaction.isRevoked { return endBuy(call, .success(.cancelled), facts) }
        let (ledger, name) = (facts.ledger, Name(statement.transaction.id))
        // An update may have reported the purchase while the user was asked.
        let isNew =
            ledger[.purchase(name)] == nil || ledger.all.dropFirst(grantCount).contains { $0.source == .purchase(name) }
        if isNew, statement.transaction.productID == buy.product { return endBuy(call, .success(.bought), facts) }
        // The store has answered with an earlier purchase or another product's, so nothing was bought.
        if buy.isSubscription { return endBuy(call, .success(.scheduled), facts) }
        if buy.isSecond { return endBuy(call, .failure(UnlocksError.repeatedPurchase), facts) }
        // It repeats a pack that it hasn't finished.
        buys[call]?.isSecond = true
        guard facts.isFinishable(name), let transaction = unfinished.removeValue(forKey: name) else {
            return purchase(call, facts)
        }
        wait(.answer(ask(.finish(call: call)) { .finish($0, transaction) }), Self.answerLimit)
    }

    private mutating func endBuy(_ call: Int, _ result: Result<UnlockCenter.Purchase, any Error>, _ facts: Facts) {
        buys[call] = nil
        perform(.resume(call: call, .purchase(result)))
        // The sheet may have changed more than this purchase, such as the account.
        refresh(nil, facts)
    }

    /// Finishes what the store has unfinished, once it is delivered or refunded and that is on the disk.
    ///
    /// The store may have revoked a purchase meanwhile without reporting it. It finishes a transaction only as it has told it, so one
    /// that has changed since stays unfinished, and is in its next list.
    mutating func finishDelivered(_ facts: Facts) {
        for (name, transaction) in unfinished.sorted(by: { $0.key < $1.key }) where facts.isFinishable(name) {
            unfinished[name] = nil
            ask(.finish(call: nil)) { .finish($0, transaction) }
        }
    }
}

// MARK: - Restoring

extension ShopState {
    mutating func restore(_ call: Int, _ facts: Facts) {
        if let closed = facts.closed { return perform(.resume(call: call, .restoration(.failure(closed)))) }
        restores[call] = Restore(before: facts.bought(paidBeforeAnswer))
        ask(.sync(call: call)) { .sync($0) }
    }

    mutating func synced(_ call: Int, _ error: (any Error)?, _ facts: Facts) {
        if let error { restores[call]?.failure = Failure(error: error) }
        guard error == nil, facts.paidBefore != nil else { return refresh(.restore(call: call), facts) }
        ask(.app(restore: call)) { .loadApp($0, isRefresh: true) }
    }

    mutating func endRestore(_ call: Int, _ refresh: Refresh, _ facts: Facts) {
        guard let restore = restores.removeValue(forKey: call) else { return }
        perform(.resume(call: call, .restoration(result(of: restore, refresh, facts))))
    }

    private func result(
        of restore: Restore,
        _ refresh: Refresh,
        _ facts: Facts
    ) -> Result<UnlockCenter.Restoration, any Error> {
        if let failure = restore.failure { return .failure(failure.error) }
        let after = facts.bought(paidBeforeAnswer)
        let new = after.subtracting(restore.before)
        if !new.isEmpty { return .success(.found(new.sorted())) }
        // A store that says nothing hasn't said that there is nothing.
        if let failure = refresh.notSaved ?? refresh.failure { return .failure(failure.error) }
        return .success(after.isEmpty && later.isEmpty ? .nothingFound : .nothingNew)
    }
}
