/// Finishing transactions that the store has unfinished, once they are delivered or refunded and that is on the disk.
///
/// The store may have revoked a purchase meanwhile without reporting it. It finishes a transaction only as it has told it, so one that
/// has changed since stays unfinished, and is in its next list.
extension StoreState {
    /// Finishes what is delivered or refunded.
    mutating func finishDelivered(_ facts: Facts) {
        for (name, transaction) in unfinished.sorted(by: { $0.key < $1.key }) where facts.isFinishable(name) {
            unfinished[name] = nil
            ask(.finish(call: nil)) { .finish($0, transaction) }
        }
    }

    /// Finishes a purchase that the store has repeated, and buys then.
    mutating func finish(_ name: Name, thenBuy call: Int, _ facts: Facts) {
        guard facts.isFinishable(name), let transaction = unfinished.removeValue(forKey: name) else {
            return purchase(call, facts)
        }
        let number = ask(.finish(call: call)) { .finish($0, transaction) }
        wait(.answer(number), Self.answerLimit)
    }
}
