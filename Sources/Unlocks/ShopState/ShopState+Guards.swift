import ReferralFoundation

/// The items whose files a server gives out for a proof of purchase.
extension ShopState {
    /// The time, in seconds, after which the server is asked again whether a purchase has its content: 30 days.
    private static let pauseBetweenProofs = 30 * 86_400.0

    /// Who gives out the files of an item; `nil` if nobody guards them.
    func contentGuard(of item: CatalogItem, for source: Grant.Source) -> ContentGuard? {
        let proof: String? = if case .purchase(let id) = source, !item.isFree { signedTexts[id] } else { nil }
        return item.guardAddress.map { ContentGuard(address: $0, proof: proof) }
    }

    /// Whether the files of an item can't be loaded, since they need a proof that the store hasn't told in this launch.
    func lacksProof(of item: CatalogItem?, for source: Grant.Source) -> Bool {
        item.flatMap { $0.isFree ? nil : contentGuard(of: $0, for: source) }.map { $0.proof == nil } ?? false
    }

    /// Asks about one purchase whose content was given out, or asked about, a month ago.
    mutating func prove(_ facts: Facts) {
        guard !questions.values.contains(where: { if case .proof = $0.topic { true } else { false } }) else { return }
        for grant in facts.ledger.all where entries[grant.source] == nil {
            guard let item = facts.catalog.item(of: grant), !item.files.isEmpty,
                let contentGuard = contentGuard(of: item, for: grant.source), contentGuard.proof != nil,
                facts.now >= (grant.proved ?? .distantPast) + Self.pauseBetweenProofs,
                facts.ledger.needsContent(grant, at: facts.now)
            else { continue }
            note(grant) { $0.proved = facts.now }
            ask(.proof(item, grant.source)) { .prove($0, contentGuard) }
            return
        }
    }

    /// Notes what the server of an item has said. After a refund, the content of a purchase is removed. Nothing else removes it, since
    /// the server may be down, busy or wrong.
    mutating func note(_ error: DownloadError?, from item: CatalogItem, about source: Grant.Source, _ facts: Facts) {
        guard error != .cancelled, let grant = facts.ledger[source] else { return }
        refusals[item.id] = if case .refused(let refusal) = error { refusal } else { nil }
        switch error {
        case nil where item.guardAddress != nil: note(grant) { $0.proved = facts.now }
        case .refused(.refunded) where grant.isGranted:
            note(grant) { $0.isWithheld = true }
            remove(source)
            // The store may not have told the refund yet.
            refresh(nil, updated(facts))
        case .refused(.expired) where grant.isDue && !facts.ledger.isOpen(grant, at: facts.now):
            // Its files don't come any more. If it waited for them, it couldn't be bought again.
            entries[source]?.isOver = true
        default: break
        }
    }

    mutating func note(_ grant: Grant, _ change: (inout Grant) -> Void) {
        var grant = grant
        change(&grant)
        note([.grant(grant)])
    }
}
