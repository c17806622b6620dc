import ReferralFoundation

/// The grants that aren't delivered, and the only place that decides what is done for them next.
///
/// An event is what has happened: a call of the center, an answer of the disk, the web, the store or the app, or a moment
/// that was waited for. ``handle(_:_:at:)`` changes the state and returns effects: what is asked of the outside. Each effect that
/// is answered has a number, and its answer has the same number.
///
/// Files are loaded beside the deliveries. Everything else is done for one grant at a time: first for those that haven't opened
/// anything yet, then for content that is delivered again. One that failed goes to the back, and waits longer each time.
struct DeliveryState: Sendable, Equatable, EventHandling {
    /// What events are judged by.
    struct Facts {
        let ledger: Ledger
        let catalog: ShopCatalog
        /// The moment at which purchases are judged.
        let now: Date
    }

    /// A grant that isn't delivered, whose content was lost or has changed, or whose folder is being removed.
    struct Entry: Sendable, Equatable {
        var phase = Phase.due
        /// Its place in line; the first is the lowest.
        var place = 0
        var failures = 0
        /// The files that were loaded and aren't delivered yet.
        var loaded: [CatalogItem.File]?
        /// Whether a catalog came after content that is delivered again had failed. It may name what is there.
        var mayBeThere = false
    }

    enum Phase: Sendable, Equatable {
        /// In line.
        case due
        /// Until the catalog has its item.
        case waitingForCatalog
        /// Until the files of the item are loaded for another grant, which it can copy then.
        case waitingForFiles(ItemID)
        /// Until a deadline, since it failed.
        case backingOff
        case loading
        /// In ``DeliveryState/step``.
        case underway
        /// With the question; `nil` while something else writes into the folder.
        case removing(Int?)
    }

    var entries: [Grant.Source: Entry] = [:]
    private var lastPlace = 0

    // For DeliveryState+Delivering.swift
    /// What is being done for one grant.
    var step: Step?
    /// The statements that the store has told since the launch, as it has signed them. They aren't in the journal.
    var signedTexts: [Name: String] = [:]
    /// Whether content that is still needed may be lost; `nil` until the store was asked, since it may revoke a purchase.
    var mayLackContent: Bool?
    /// The question for the content that is lost, and the grant in line that it is about, if it is only about one.
    var look: Int?
    var lookedAt: Grant.Source?

    // For DeliveryState+Loading.swift
    /// What is being loaded: of each item for one grant at a time. A server that never answers holds up its own item alone.
    var loads: [ItemID: Load] = [:]

    private var deadlines = Deadlines<Grant.Source>()
    private var moment = Timestamp(milliseconds: 0)
    var outbox = Outbox<Effect>()

    /// The moment for the next ``Event/woke(_:)``, on the clock of the deadlines; `nil` if nothing is waited for.
    var nextWake: Timestamp? { deadlines.next }
}

// MARK: - Events and effects

extension DeliveryState {
    enum Event: Sendable {
        // The center.
        /// The journal was opened, or the environment has changed.
        case ledgerChanged
        /// Grants were recorded, or their records have changed.
        case recorded([Grant.Source])
        /// Some content is to be removed and delivered again.
        case resetAsked([Grant.Source])
        case catalogChanged
        /// The store was asked for the user's purchases.
        case storeAsked
        /// The store has told statements, and they are recorded.
        case told([StoreTransaction])

        // Answers.
        case looked(Int, lost: [Grant.Source])
        case folderMade(Int, Result<URL, any Error>)
        case delivered(Int, (any Error)?)
        /// With whether one of its unlocks was used up before; `nil` if the folder is gone.
        case completed(Int, Result<Bool?, UnlocksError>)
        case loadProgressed(Int, ItemID, DownloadProgress)
        case loaded(Int, ItemID, ContentDownloads.Failure?)
        case removed(Int, Grant.Source, UnlocksError?)
        /// The deadline ``DeliveryState/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable {
        // Answered.
        /// Which of these grants have lost content?
        case look(Int, [Content])
        /// Make the folder, and move the files that were loaded into it; `nil` if the grant has no item.
        case makeFolder(Int, Grant.Source, [CatalogItem.File]?)
        case deliver(Int, Delivery)
        /// Mark the folder as complete, and record the delivery.
        case complete(Int, Grant)
        case load(Int, CatalogItem, Grant.Source, besides: [Content])
        case remove(Int, Grant.Source)

        // Not answered. A load that is canceled ends with an answer.
        case cancelLoad(Int)
        case report(UnlocksProblem)
        /// The grant is delivered, and that is on the disk.
        case tell(Grant)
    }

    /// The content of a grant.
    struct Content: Sendable, Equatable {
        let source: Grant.Source
        /// The files that the catalog names for it; `nil` if it has no item.
        let files: [CatalogItem.File]?
    }

    /// Handles an event, and returns what is to be done, in this order.
    mutating func handle(_ event: Event, _ facts: Facts, at moment: Timestamp) -> [Effect] {
        var limit = moment
        if case .woke(let deadline) = event { limit = max(limit, deadline) }
        self.moment = moment
        follow(event, facts)
        for source in deadlines.due(at: limit) where deadlines.take(source, at: limit) { line(source) }
        proceed(facts)
        return outbox.take()
    }

    private mutating func follow(_ event: Event, _ facts: Facts) {
        let ledger = facts.ledger
        switch event {
        case .ledgerChanged: for grant in ledger.all where grant.isRevoked || grant.isDue { follow(grant, in: ledger) }
        case .recorded(let sources): for grant in sources.compactMap({ ledger[$0] }) { follow(grant, in: ledger) }
        case .resetAsked(let sources):
            for grant in sources.compactMap({ ledger[$0] }) where ledger.isPresent(grant) && !grant.isRevoked {
                remove(grant.source)
            }
        case .catalogChanged: followCatalog(facts)
        case .storeAsked: mayLackContent = true
        case .told(let transactions):
            for transaction in transactions { signedTexts[Name(transaction.id)] = transaction.signedText }
        case .looked(let number, let lost): queue(lost, number, facts)
        case .folderMade(let number, let result): deliver(number, result)
        case .delivered(let number, let error): complete(number, error, ledger)
        case .completed(let number, let result): finish(number, result, ledger)
        case .loadProgressed(let number, let item, let progress):
            if loads[item]?.number == number { loads[item]?.progress = progress }
        case .loaded(let number, let item, let failure): endLoad(number, of: item, failure)
        case .removed(let number, let source, let failure): endRemoval(number, of: source, failure, facts)
        case .woke: break
        }
    }

    /// Begins what may begin.
    private mutating func proceed(_ facts: Facts) {
        while step == nil, look == nil {
            if let source = nextInLine(facts.ledger) {
                begin(source, facts)
            } else if mayLackContent == true {
                mayLackContent = false
                lookForLostContent(facts)
            } else {
                return
            }
        }
    }

    private func nextInLine(_ ledger: Ledger) -> Grant.Source? {
        let due = entries.lazy.filter { $0.value.phase == .due }
        return due.min { left, right in
            let (isDue, isOtherDue) = (ledger[left.key]?.isDue ?? false, ledger[right.key]?.isDue ?? false)
            return isDue == isOtherDue ? left.value.place < right.value.place : isDue
        }?.key
    }

    private mutating func follow(_ grant: Grant, in ledger: Ledger) {
        if grant.isRevoked {
            remove(grant.source)
        } else if !grant.isDue {
            lookAgainForLostContent()
        } else if ledger.isPresent(grant) {
            need(grant.source)
        }
    }

    /// Looks for lost content again, since some of it may be needed again.
    mutating func lookAgainForLostContent() { if mayLackContent != nil { mayLackContent = true } }
}

// MARK: - For the files of this folder

extension DeliveryState {
    /// Adds a grant to the line, unless it is there or something is being done for it.
    mutating func need(_ source: Grant.Source) {
        guard entries[source] == nil else { return }
        entries[source] = Entry()
        line(source)
    }

    /// Puts a grant to the back of the line.
    mutating func line(_ source: Grant.Source) {
        lastPlace += 1
        entries[source]?.place = lastPlace
        move(source, to: .due)
    }

    /// Puts grants into the line in their former order.
    mutating func line(where isMeant: (Phase) -> Bool) {
        let meant = entries.filter { isMeant($0.value.phase) }
        for source in meant.sorted(by: { $0.value.place < $1.value.place }).map(\.key) { line(source) }
    }

    mutating func move(_ source: Grant.Source, to phase: Phase) {
        if entries[source]?.phase == .backingOff { deadlines.cancel(source) }
        entries[source]?.phase = phase
    }

    mutating func drop(_ source: Grant.Source) {
        move(source, to: .due)
        entries[source] = nil
    }

    /// Lets a grant that failed wait: 1, 2, 4 seconds and so on, up to an hour.
    ///
    /// - Parameters:
    ///   - source: The grant.
    ///   - hasProgressed: Whether the attempt got further, so that the next pause needn't be longer.
    /// - Returns: How long it waits, in seconds.
    @discardableResult
    mutating func backOff(_ source: Grant.Source, hasProgressed: Bool = false) -> Double {
        guard let failures = entries[source]?.failures else { return 0 }
        let pause = Backoff.seconds(after: failures)
        if !hasProgressed { entries[source]?.failures += 1 }
        move(source, to: .backingOff)
        deadlines.set(source, after: pause, at: moment)
        return pause
    }
}

extension ShopCatalog {
    /// The item of a grant: the one that sells its product, whatever its name, or that has its name. An item that the user got for
    /// free and that is sold now counts as another item.
    func item(of grant: Grant) -> CatalogItem? {
        if case .free(let id) = grant.source { return item(named: id).flatMap { $0.isFree ? $0 : nil } }
        return grant.transaction.flatMap { item(selling: $0.productID) } ?? grant.item.flatMap(item(named:))
    }
}
