import Foundation
import ReferralBridge

@testable import ReferralBasics
@testable import Unlocks

/// A device and a store around the state of a shop, which is asked directly: no center, no task, and no scheduler.
///
/// What somebody is owed is worked out from the store's side alone.
struct DirectShop {
    /// What is true of a transaction.
    struct Truth {
        var statements: [StoreTransaction]
        var current: StoreTransaction { statements[statements.count - 1] }
        var allowedDeliveries = 1
        var deliveries = 0
        /// How often its folder became complete.
        var completions = 0
        var isFinished = false

        var wasRevoked: Bool { statements.contains(where: \.isRevoked) }
    }

    /// A folder for content.
    struct Folder {
        var isComplete = false
        var hasContent = false
        var files: [CatalogItem.File] = []
    }

    /// The app's process: its state, and what it has in memory.
    final class Process {
        var state = ShopState(for: "app")
        var ledger: Ledger
        var closed: UnlocksError? = .notStarted
        var effects: [ShopState.Effect] = []
        var calls: [Int: Call] = [:]
        var lastCall = 0
        var isListening = false
        var hasNotes = false
        var isObserving = false
        /// What was asked and isn't answered, in order.
        var pending: [Pending] = []
        var diskIsFree = Timestamp(milliseconds: 0)
        var purchasing: [ProductID] = []
        /// The products that wait for somebody's approval, and what was recorded before.
        var waiting: [ProductID: Set<String>] = [:]
        /// The purchases that it has heard of while they were valid.
        var knownPurchases: Set<String> = []
        /// The purchases of which the store has told in this process, so that it has their signed texts.
        var told: Set<String> = []
        /// When the server gave out the content of each purchase, or was asked about it, the last time.
        var proofs: [String: Timestamp]
        /// The reason with which the server refused the files of each item the last time.
        var refusals: [ItemID: DownloadError.Refusal] = [:]
        /// The folders that couldn't be removed. They are removed at the next launch.
        var notRemoved: Set<Grant.Source> = []

        init(_ ledger: Ledger, _ proofs: [String: Timestamp]) { (self.ledger, self.proofs) = (ledger, proofs) }

        /// The purchases that are recorded and weren't refunded.
        var recorded: Set<String> {
            Set(ledger.all.filter { !$0.isRevoked }.compactMap { $0.transaction?.id })
        }
    }

    /// Somebody who waits for a reply.
    enum Call {
        case app
        /// With what the user had before, `nil` if the journal wasn't open, and the number of transactions then.
        case restore(Set<UnlockID>?, count: Int)
    }

    /// A question, and when it is answered.
    struct Pending {
        enum Question {
            case effect(ShopState.Effect)
            /// New claims, and whether the event is reached.
            case claims([String], hasReached: Bool)
        }

        let question: Question
        let part: DirectHistory.Part?
        var due: Timestamp
        /// What the store would have said at once.
        var early: [StoreStatement]?
        var isCancelled = false
    }

    let history: DirectHistory
    private(set) var violations: [String] = []
    private(set) var finishedCount = 0

    // The device.
    var moment = Timestamp(milliseconds: 1_795_219_200_000)
    /// What the journal says.
    var saved = Ledger()
    var savedProofs: [String: Timestamp] = [:]
    var folders: [Grant.Source: Folder] = [:]
    var downloads: [Grant.Source: [CatalogItem.File]] = [:]
    var isLocked = false
    var process: Process?
    var catalog: ShopCatalog
    var assortment: Assortment
    let paidBefore: PaidBefore?

    // How the outside behaves.
    var broken: Set<DirectHistory.Part> = []
    var seconds: [DirectHistory.Part: Double] = [:]
    var isStale = false
    /// Whether the store never answers what it was asked.
    var isSilent = false
    /// How many answers the process still hears.
    var answersLeft: Int?
    var lastAnswerHappens = false

    // The server that guards files.
    var guardAnswer: DownloadError?
    /// The content that may be removed though the store has told no refund.
    var removable: Set<Grant.Source> = []
    /// The purchases that it says were refunded, and of which the store has told nothing new since.
    var withheld: Set<Grant.Source> = []

    // The store.
    var truths: [String: Truth] = [:]
    var order: [String] = []
    var environment = StoreEnvironment.production
    var purchaseAnswer = DirectHistory.Answer.cancelled
    /// The transactions that the list of what the user has lacks.
    var unlisted: Set<String> = []
    var pendingProducts: [ProductID] = []
    var lastSigned = Date.distantPast

    // What is owed.
    var claims: Set<String> = []
    var (hasReached, hasPerhapsReached) = (false, false)
    /// What was seen open.
    var open: Set<String> = []
    private var steps = 0
    /// How often the server was asked about delivered content.
    var questions = 0

    init(_ history: DirectHistory) {
        self.history = history
        catalog = Self.catalogs[0]
        assortment = Self.assortments[0]
        paidBefore = history.asksForApp ? PaidBefore(grants: ["paid"], firstFreeVersions: [.iOS: "2"]) : nil
    }

    /// A catalog for each version.
    static let catalogs = DirectHistory.Version.allCases.map { version in
        let file = CatalogItem.File.json("x", version == .more ? "b" : "a")
        let gold = version == .more ? #""gold","extra""# : #""gold""#
        let given = #""files":[\#(file)]"#
        let guarded = #"\#(given),"guard":"https://files.example/guard""#
        let others = [
            #"{"id":"all","product":"everything","kind":"nonConsumable","grants":["gold","silver"],\#(guarded)}"#,
            #"{"id":"hints","product":"hints","kind":"consumable","amount":10,"grants":["hint"]}"#,
            #"{"id":"pro","product":"pro","kind":"subscription","grants":["pro"],\#(version == .more ? given : guarded)}"#,
        ]
        let items = [#"{"id":"gold","product":"gold","kind":"nonConsumable","grants":[\#(gold)]}"#]
        return ShopCatalog.known(
            items: (items + (version == .older ? [] : others)).joined(separator: ","),
            rewards: #"{"id":"welcome","grants":["silver"],"after":"first-board","limit":2}"#
        )
    }
    static let assortments = catalogs.map { Assortment($0, edition: nil) }

    /// Lets the history happen, and checks what is promised.
    static func violations(_ history: DirectHistory) -> [String] {
        var shop = Self(history)
        return shop.run()
    }

    mutating func run() -> [String] {
        for event in history.events where violations.isEmpty {
            apply(event)
            wait(0)
            check()
        }
        if violations.isEmpty { end() }
        return violations
    }

    mutating func violate(_ reason: String) { violations.append(reason) }
}

// MARK: - Time

extension DirectShop {
    /// Lets time pass, and what it brings happen.
    mutating func wait(_ seconds: Double) {
        let end = moment.advanced(by: seconds)
        while violations.isEmpty, let process {
            let answer = process.pending.indices.min { process.pending[$0].due < process.pending[$1].due }
            let due = answer.map { process.pending[$0].due }
            guard let next = [due, process.state.nextWake].compactMap(\.self).min(), next <= end else { break }
            moment = max(moment, next)
            steps += 1
            if steps > 20_000 { return violate("it never ends") }
            if let answer, due == next {
                giveAnswer(answer)
            } else {
                send(.woke(next))
                if let again = self.process?.state.nextWake, again <= next { violate("a deadline in the past") }
            }
        }
        moment = end
    }

    mutating func launch() {
        endProcess()
        var ledger = Ledger()
        ledger.environment = environment
        ledger.allowances = assortment.allowances
        process = Process(ledger, savedProofs)
        send(.started)
    }

    /// The process ends without a word.
    mutating func endProcess() {
        process = nil
        answersLeft = nil
        allowMore()
    }

    /// A delivery that couldn't be written down happens once more.
    mutating func allowMore() { for id in order { truths[id]?.allowedDeliveries += 1 } }
}

// MARK: - What happens

extension DirectShop {
    mutating func apply(_ event: DirectHistory.Event) {
        switch event {
        case .launch: launch()
        case .end: endProcess()
        case .endBeforeAnswer(let count, let hasHappened): (answersLeft, lastAnswerHappens) = (count, hasHappened)
        case .wait(let seconds): wait(seconds)
        case .month: returnAfterMonth()
        case .buy(let product, let answer): buy(ProductID(product), answer)
        case .approve: if let product = pendingProducts.popLast() { say(transaction(of: product), isAnnounced: true) }
        case .buyElsewhere(let product): say(transaction(of: ProductID(product)), isAnnounced: true)
        case .refund(let number, let isAnnounced):
            guard var transaction = truth(number)?.current, !transaction.isRevoked else { return }
            transaction.isRevoked = true
            say(transaction, isAnnounced: isAnnounced)
        case .reverseRefund(let number, let isAnnounced):
            guard history.hasDates, var transaction = truth(number)?.current, transaction.isRevoked else { return }
            transaction.isRevoked = false
            truths[transaction.id]?.allowedDeliveries += 1
            say(transaction, isAnnounced: isAnnounced)
        case .repeat(let number, let isOld):
            if let truth = truth(number) { announce(.verified(isOld ? truth.statements[0] : truth.current)) }
        case .forge(let number):
            guard var transaction = truth(number)?.current else { return }
            transaction.isRevoked.toggle()
            transaction.signedText = "forged"
            transaction.signedDate = .distantFuture
            announce(.unverified(transaction, reason: "forged"))
        case .renew(let isAnnounced, let isUnfinished):
            guard var transaction = order.compactMap({ truths[$0]?.current }).last(where: { $0.productID == "pro" })
            else { return }
            transaction.expirationDate = max(transaction.expirationDate ?? moment.date, moment.date) + 50_000
            let wasFinished = truths[transaction.id]?.isFinished ?? false
            say(transaction, isAnnounced: isAnnounced)
            if !isUnfinished { truths[transaction.id]?.isFinished = wasFinished }
        case .lack(let number): if let id = truth(number)?.current.id { unlisted.insert(id) }
        case .sign(let number, let isAnnounced):
            if let transaction = truth(number)?.current { say(transaction, isAnnounced: isAnnounced) }
        case .works(let part, let works): if works { broken.remove(part) } else { broken.insert(part) }
        case .takes(let part, let seconds): self.seconds[part] = seconds
        case .stale(let isStale): self.isStale = isStale
        case .loseContent:
            endProcess()
            (folders, downloads) = ([:], [:])
            allowMore()
        case .launchLocked:
            isLocked = true
            launch()
        case .unlockDevice: unlockDevice()
        case .install(let environment):
            endProcess()
            (self.environment, open) = (environment, [])
        default: applyInApp(event)
        }
    }

    mutating func unlockDevice() {
        isLocked = false
        if process?.isObserving ?? false { send(.becameActive) }
    }

    private mutating func applyInApp(_ event: DirectHistory.Event) {
        guard process != nil else { return }
        switch event {
        case .catalog(let version): use(version)
        case .guards(let answer): guardAnswer = answer
        case .claim(let referrer): write(.claims([referrer], hasReached: false))
        case .reach:
            hasPerhapsReached = true
            write(.claims([], hasReached: true))
        case .refresh: send(.refreshAsked(call: call(.app)))
        case .restore:
            let before = process?.closed == nil ? process?.ledger.bought(at: moment.date) : nil
            send(.restoreAsked(call: call(.restore(before, count: order.count))))
        case .reset:
            guard process?.closed == nil, let sources = process?.ledger.all.map(\.source) else { return }
            reset(sources)
        case .activate: send(.becameActive)
        default: break
        }
    }

    mutating func reset(_ sources: [Grant.Source]) {
        allowMore()
        removable.formUnion(sources)
        withheld.subtract(sources)
        send(.resetAsked(sources))
    }

    mutating func use(_ version: DirectHistory.Version) {
        (catalog, assortment) = (Self.catalogs[version.rawValue], Self.assortments[version.rawValue])
        guard process != nil else { return }
        process?.ledger.allowances = assortment.allowances
        // Other files are delivered too.
        allowMore()
        send(.catalogChanged(call: call(.app)))
    }

    mutating func call(_ call: Call) -> Int {
        process?.lastCall += 1
        let number = process?.lastCall ?? 0
        process?.calls[number] = call
        return number
    }

    /// A tap on a product that is for sale, as far as the app knows.
    private mutating func buy(_ product: ProductID, _ answer: DirectHistory.Answer) {
        guard let process, process.closed == nil, !process.state.purchasing.contains(product),
            catalog.item(selling: product) != nil,
            !process.state.unrecordedProducts(besides: process.ledger).contains(product)
        else { return }
        let isHad = process.ledger.all.contains { grant in
            grant.transaction?.productID == product && !grant.isRevoked && process.ledger.isPresent(grant)
                && grant.transaction?.expirationDate.map { $0 > moment.date } ?? true
        }
        if isHad, product != "hints" { return }
        purchaseAnswer = answer
        send(.buyAsked(call: call(.app), product, isSubscription: product == "pro"))
    }
}
