import ReferralFoundation

/// The grants that aren't delivered, and the only place that decides what ``Deliveries`` does next.
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

    /// A grant that isn't delivered, or whose folder is being removed.
    struct Entry: Sendable, Equatable {
        var need: Need
        var phase: Phase
        /// Its place in line; the first is the lowest.
        var place = 0
        var failures = 0
        var loaded: Loaded?
    }

    /// Files that were loaded and aren't delivered yet.
    struct Loaded: Sendable, Equatable {
        let files: [CatalogItem.File]
        /// Whether there is something to install.
        let isNew: Bool
    }

    enum Need: Sendable, Equatable {
        case nothing
        /// It opens nothing until it is delivered.
        case delivery
        /// Its content was lost, or has changed.
        case deliveryAgain
    }

    enum Phase: Sendable, Equatable {
        /// In line.
        case due
        /// Until the catalog has its item.
        case waitingForCatalog
        /// Until the store was asked, for a purchase without its signed text.
        case waitingForStore
        /// Until the files of the item are loaded for another grant, which it can copy then.
        case waitingForFiles(ItemID)
        /// Until a deadline, since it failed.
        case backingOff
        case loading
        /// In ``DeliveryState/step``.
        case underway
        case removing(Removal)
    }

    /// The only order of the sources that are due, with some that aren't any more.
    struct Line: Sendable, Equatable {
        private var sources: [Grant.Source] = []
        private var start = 0

        mutating func append(_ source: Grant.Source) { sources.append(source) }

        /// The first source that satisfies a condition. Those before it are dropped.
        mutating func first(where isHere: (Grant.Source) -> Bool) -> Grant.Source? {
            while start < sources.count, !isHere(sources[start]) { start += 1 }
            guard start == sources.count else { return sources[start] }
            (sources, start) = ([], 0)
            return nil
        }
    }

    var entries: [Grant.Source: Entry] = [:]
    private var (new, again) = (Line(), Line())
    private var lastPlace = 0

    // For DeliveryState+Delivering.swift
    /// What is being done for one grant.
    var step: Step?
    /// The statements that the store has told since the launch, as it has signed them; `nil` for one without a signature.
    var signedTexts: [Name: String?] = [:]
    /// Whether content that is still needed may be lost; `nil` until the store was asked, since it may revoke a purchase.
    var mayLackContent: Bool?
    /// The question for the content that is lost.
    var look: Int?

    // For DeliveryState+Loading.swift
    /// What is being loaded: of each item for one grant at a time. A server that never answers holds up its own item alone.
    var loads: [ItemID: Load] = [:]

    // For DeliveryState+Removing.swift
    var resets: [Int: Reset] = [:]

    private var deadlines = Deadlines<Grant.Source>()
    private var moment = Timestamp(milliseconds: 0)
    var outbox = Outbox<Effect>()

    /// The moment for the next ``Event/woke(_:)``, on the clock of the deadlines; `nil` if nothing is waited for.
    var nextWake: Timestamp? { deadlines.next }

    /// The grants that open nothing yet.
    var undelivered: some Sequence<Grant.Source> { entries.lazy.filter { $0.value.need == .delivery }.map(\.key) }
}

// MARK: - Events and effects

extension DeliveryState {
    enum Event: Sendable {
        // The center.
        /// The journal was opened, or the environment has changed.
        case ledgerChanged
        /// Grants were recorded, or their records have changed.
        case recorded([Grant.Source])
        /// Some content is to be removed and delivered again. The call is resumed.
        case resetAsked(call: Int, [Grant.Source])
        case catalogChanged
        /// The store was asked for the user's purchases.
        case storeAsked
        /// The store has told statements, and they are recorded.
        case told([StoreTransaction])

        // Answers.
        case looked(Int, lost: [Grant.Source])
        case checked(Int, isComplete: Bool)
        case folderMade(Int, Result<URL, UnlocksError>)
        case installed(Int, DownloadError?)
        case delivered(Int, (any Error)?)
        case completed(Int, Result<Bool, UnlocksError>)
        /// With whether one of its unlocks was used up before.
        case deliveryRecorded(Int, Result<Bool, UnlocksError>)
        case loadProgressed(Int, ItemID, DownloadProgress)
        /// With whether there is something to install.
        case loaded(Int, ItemID, Result<Bool, ContentDownloads.Failure>)
        case removed(Int, Grant.Source, UnlocksError?)
        /// The deadline ``DeliveryState/nextWake`` has come.
        case woke(Timestamp)
    }

    enum Effect: Sendable {
        // Answered.
        /// Which of these grants have lost content?
        case look(Int, [Content])
        /// Is the folder complete?
        case check(Int, Grant.Source)
        case makeFolder(Int, Grant.Source)
        case install(Int, [CatalogItem.File], URL)
        case deliver(Int, Delivery)
        case complete(Int, Grant)
        case record(Int, Grant.Source)
        case load(Int, CatalogItem, Grant.Source, besides: [Content])
        case remove(Int, Grant.Source)

        // Not answered. A load that is cancelled ends with an answer.
        case cancelLoad(Int)
        case report(UnlocksProblem)
        /// The grant is delivered, and that is on the disk.
        case tell(Grant)
        case resume(call: Int, UnlocksError?)
    }

    /// The content of a grant.
    struct Content: Sendable, Equatable {
        let source: Grant.Source
        /// The files that the catalog names for it; `nil` if it has no item.
        let files: [CatalogItem.File]?
    }

    /// Takes an event, and returns what is to be done, in this order.
    mutating func handle(_ event: Event, _ facts: Facts, at moment: Timestamp) -> [Effect] {
        var limit = moment
        if case .woke(let deadline) = event { limit = max(limit, deadline) }
        self.moment = moment
        happen(event, facts)
        for source in deadlines.due(at: limit) where deadlines.take(source, at: limit) {
            line(source)
        }
        proceed(facts)
        return outbox.take()
    }

    private mutating func happen(_ event: Event, _ facts: Facts) {
        let ledger = facts.ledger
        switch event {
        case .ledgerChanged: for grant in ledger.all where grant.isRevoked || grant.isDue { follow(grant, in: ledger) }
        case .recorded(let sources): for grant in sources.compactMap({ ledger[$0] }) { follow(grant, in: ledger) }
        case .resetAsked(let call, let sources): reset(sources, call, in: ledger)
        case .catalogChanged: followCatalog(facts.catalog)
        case .storeAsked:
            mayLackContent = true
            line { $0 == .waitingForStore }
        case .told(let transactions): keepSignedTexts(of: transactions)
        case .looked(let number, let lost): queue(lost, number, facts)
        case .checked(let number, let isComplete): checked(number, isComplete, facts)
        case .folderMade(let number, let result): install(number, result)
        case .installed(let number, let failure): deliver(number, failure)
        case .delivered(let number, let error): complete(number, error, ledger)
        case .completed(let number, let result): record(number, result)
        case .deliveryRecorded(let number, let result): finish(number, result, ledger)
        case .loadProgressed(let number, let item, let progress):
            if loads[item]?.number == number { loads[item]?.progress = progress }
        case .loaded(let number, let item, let result): endLoad(number, of: item, result)
        case .removed(let number, let source, let failure): endRemoval(number, of: source, failure, facts)
        case .woke: break
        }
    }

    /// Begins what may begin.
    private mutating func proceed(_ facts: Facts) {
        while step == nil, look == nil {
            if let source = nextInLine() {
                begin(source, facts)
            } else if mayLackContent == true {
                mayLackContent = false
                lookForLostContent(facts)
            } else {
                return
            }
        }
    }

    private mutating func nextInLine() -> Grant.Source? {
        let entries = entries
        func isDue(_ source: Grant.Source, for need: Need) -> Bool {
            entries[source].map { $0.phase == .due && $0.need == need } ?? false
        }
        return new.first { isDue($0, for: .delivery) } ?? again.first { isDue($0, for: .deliveryAgain) }
    }

    private mutating func follow(_ grant: Grant, in ledger: Ledger) {
        if grant.isRevoked {
            remove(grant.source, call: nil)
        } else if !grant.isDue {
            lookAgainForLostContent()
        } else if ledger.isPresent(grant) {
            need(.delivery, grant.source)
        }
    }

    /// Looks for lost content again, since some of it may be needed again.
    mutating func lookAgainForLostContent() { if mayLackContent != nil { mayLackContent = true } }
}

// MARK: - For the files of this folder

extension DeliveryState {
    /// Adds a grant to the line, unless it is there or something is being done for it.
    mutating func need(_ need: Need, _ source: Grant.Source) {
        guard let entry = entries[source] else {
            entries[source] = Entry(need: need, phase: .due)
            return line(source)
        }
        entries[source]?.need = need
        if entry.phase == .due, entry.need != need { line(source) }
    }

    /// Puts a grant to the back of the line.
    mutating func line(_ source: Grant.Source) {
        guard let need = entries[source]?.need else { return }
        lastPlace += 1
        entries[source]?.place = lastPlace
        move(source, to: .due)
        if need == .delivery { new.append(source) } else { again.append(source) }
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
    ///   - least: The shortest pause, in seconds.
    ///   - hasProgressed: Whether the attempt got further, so that the next pause needn't be longer.
    /// - Returns: How long it waits, in seconds.
    @discardableResult
    mutating func backOff(_ source: Grant.Source, least: Double = 0, hasProgressed: Bool = false) -> Double {
        guard let failures = entries[source]?.failures else { return 0 }
        let pause = max(least, Backoff.seconds(after: failures))
        if !hasProgressed { entries[source]?.failures += 1 }
        move(source, to: .backingOff)
        deadlines.set(source, after: pause, at: moment)
        return pause
    }

    /// Whether a grant is still to be delivered.
    func isDeliverable(_ grant: Grant, in ledger: Ledger) -> Bool {
        guard ledger.isPresent(grant), let need = entries[grant.source]?.need else { return false }
        return grant.isDue || need == .deliveryAgain && !grant.isRevoked
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
