/// A guestbook in memory, for tests, previews and the simulator.
///
/// ```swift
/// let anna = InMemoryGuestbook(user: "anna")
/// let ben = anna.shared(with: "ben")
/// ```
///
/// Several users share one. It can be told to fail:
///
/// ```swift
/// await anna.change { $0.failure = .offline }
/// ```
public struct InMemoryGuestbook: Guestbook {
    /// The behavior of a guestbook, and its contents.
    public struct Contents: Sendable {
        /// The error of each request; `nil` if requests succeed.
        public var failure: GuestbookError?
        /// The entries with their records, in the order in which they were signed.
        public var entries: [(record: GuestbookRecord, entry: GuestbookEntry)] = []
        /// The number of requests so far.
        public var requestCount = 0
    }

    private actor Storage {
        private(set) var contents = Contents()

        func change<Value: Sendable>(_ body: @Sendable (inout Contents) -> Value) -> Value { body(&contents) }
    }

    private let storage: Storage
    private let user: String

    /// Creates an empty guestbook.
    ///
    /// - Parameter user: The name of the user.
    public init(user: String = "_me") { self.init(Storage(), user) }

    private init(_ storage: Storage, _ user: String) {
        self.storage = storage
        self.user = user
    }

    /// The same guestbook, as another user sees it.
    public func shared(with user: String) -> InMemoryGuestbook { InMemoryGuestbook(storage, user) }

    /// The guestbook's behavior and contents.
    public var contents: Contents { get async { await storage.contents } }

    /// Changes the guestbook's behavior or its contents.
    public func change(_ body: @Sendable (inout Contents) -> Void) async { await storage.change(body) }

    /// Counts the request, and fails if it was told to.
    private func begin() async throws(GuestbookError) {
        await change { $0.requestCount += 1 }
        if let failure = await contents.failure { throw failure }
    }

    /// Writes an entry, unless the user has one in the same program.
    public func sign(_ entry: GuestbookEntry) async throws(GuestbookError) -> GuestbookAnswer {
        try await begin()
        let name = GuestbookRecord.name(creator: user, program: entry.program)
        let record = GuestbookRecord(name: name, creator: user, program: entry.program)
        return await storage.change { contents in
            guard !contents.entries.contains(where: { $0.record.name == name }) else { return .alreadySigned }
            contents.entries.append((record, entry))
            return .signed
        }
    }

    /// The records for a referrer. The cursor is the number of entries that were looked at.
    public func records(for referrer: String, after cursor: String?) async throws(GuestbookError) -> GuestbookPage {
        try await begin()
        let contents = await contents
        let start = max(0, cursor.flatMap { Int($0) } ?? 0)
        let records = contents.entries.dropFirst(start).filter { $0.entry.referrer == referrer }.map(\.record)
        return GuestbookPage(records, cursor: String(contents.entries.count))
    }

    /// The name of the user.
    public func myself() async throws(GuestbookError) -> String {
        try await begin()
        return user
    }
}
