extension UnlockCenter {
    /// Asks the store for purchases and prices, and the source for a newer catalog, as at launch.
    ///
    /// The requests run concurrently, and the method waits for them for 30 seconds at most. The center also refreshes
    /// by itself when the app becomes active, at most every 15 minutes.
    public func refresh() async {
        await open()
        await ask { .refreshAsked(call: $0) }
    }

    /// The result of ``restore()``.
    public enum Restoration: Sendable, Equatable {
        /// Purchases with these unlocks were restored. The names are sorted. The content is being delivered.
        case found([UnlockID])
        /// The user has purchases, and all of them were already on this device.
        case nothingNew
        /// The store has no purchases of this user.
        case nothingFound
    }

    /// Restores what the user bought on another device.
    ///
    /// Call it only when the user asks for it, since they may have to sign in.
    ///
    /// - Returns: The result.
    /// - Throws: The store's error, ``StoreError/unreachable`` if it doesn't answer within 30 seconds once the user has signed in, or
    ///   ``UnlocksError`` if the folder isn't open. If nothing was restored, ``UnlocksError`` if what the store lists can't be written, or
    ///   ``UnlocksError/notVerified(_:)`` if it lists a purchase that can't be verified. If the store lists purchases despite its error, or later, they are used.
    @discardableResult
    public func restore() async throws -> Restoration {
        await open()
        guard case .restoration(let result) = await ask({ .restoreAsked(call: $0) }) else { return .nothingFound }
        return try result.get()
    }

    /// Opens the journal, unless it is open.
    func open() async { await ask { .openAsked(call: $0) } }
}
