import ReferralBridge

extension UnlockCenter: Deliveries.Owner {
    func didDeliver(_ grant: Grant) {
        publishChanges()
        if case .purchase = grant.source { finishSoon() }
    }

    func wake() async {
        let isDue = book.endPause(at: clock.now().date)
        if isDue, !book.isOpen { return await open() }
        publish()
        deliveries.work()
        if isDue { await saveAgain() }
    }
}
