import Foundation
import ReferralBridge
import Simulation
import Unlocks

/// Lets a history happen, and checks what is promised.
///
/// What somebody is owed is worked out from the store's side alone, with rules of its own: nothing here asks the ledger.
@MainActor
final class ShopHistoryRun {
    private static let whole = Catalogue.known(
        items: #"""
            {"id":"gold-pack","product":"gold","kind":"lasting","grants":["gold"]},
            {"id":"all","product":"everything","kind":"lasting","grants":["gold","silver"]},
            {"id":"hints","product":"hints","kind":"consumable","doses":10,"grants":["hint"]},
            {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]},
            {"id":"starter","kind":"lasting","grants":["starter"],"free":true}
            """#,
        rewards: #"""
            {"id":"welcome","grants":["silver"],"after":"first-board","limit":2},
            {"id":"three","grants":["hint"],"doses":3,"limit":1}
            """#
    )
    /// An older one, which knows neither hints nor the whole.
    private static let older = Catalogue.known(
        items: #"{"id":"gold-pack","product":"gold","kind":"lasting","grants":["gold"]}"#
    )

    /// What is true of a transaction.
    fileprivate struct Truth {
        var statements: [StoreTransaction]
        /// Whether the app has heard of the last statement, while it could write.
        var current: StoreTransaction { statements[statements.count - 1] }
        /// How often it may be delivered.
        var allowedDeliveries = 1
        var deliveries = 0
    }

    private let history: ShopHistory
    private let shop = Shop(whole)
    private var truths: [String: Truth] = [:]
    private var order: [String] = []
    private var pending: [String] = []
    private var ending: ShopHistory.Moment?
    private var deliveryWorks = true
    private var diskWorks = true
    private var clockError = 0.0
    private var lastSigned = Date.distantPast
    private var hasReached = false
    private var hasPerhapsReached = false
    /// The doses that were spent in each environment.
    private var spent: [StoreEnvironment: Int] = [:]
    /// Doses whose use was being written down when the app was ended.
    private var perhapsSpent: [StoreEnvironment: Int] = [:]
    private var hasTakenStarter = false
    /// Those whose referral was claimed, in order.
    private var claims: [String] = []
    /// Whether a claim failed, which may have been written all the same, and is tried again.
    private var isPerhapsClaimed = false
    /// The purchases that were seen open.
    private var open: Set<String> = []
    /// The subscriptions that were ever seen open.
    private var subscribers: Set<String> = []
    private var hasEndedEarly = false

    private(set) var violations: [String] = []
    /// How many purchases the history had.
    var purchases: Int { order.count }

    init(_ history: ShopHistory) { self.history = history }

    func run() {
        JobQueue.run { [self] in
            prepare()
            for event in history.events where violations.isEmpty {
                happen(event)
                JobQueue.drain()
                check()
            }
            if violations.isEmpty { end() }
            weak let unlocks = shop.unlocks
            shop.end()
            if unlocks != nil { violate("something waits for ever: the process is still there") }
        }
    }

    private func violate(_ reason: String) { violations.append(reason) }

    private var isRunning: Bool { shop.unlocks != nil && !shop.storage.hasEnded }

    /// The environment of the build that is installed.
    private var environment: StoreEnvironment { shop.store.environment ?? .production }

    /// The moment by the store's clock.
    private var storeTime: Date { shop.now.date - clockError }
}

// MARK: - The device and the store

private extension ShopHistoryRun {
    func prepare() {
        shop.store.products = Set(ShopHistory.products)
        shop.store.isPack = { $0 == "hints" }
        shop.store.now = { [unowned self] in storeTime }
        shop.storage.next = { [unowned self] in nextWrite() }
        shop.deliver = { [unowned self] in try deliver($0) }
        shop.store.willFinish = { [unowned self] in willFinish($0) }
        shop.store.didFinish = { [unowned self] _ in if ending == .afterFinish { endNow() } }
        shop.store.isDisconnected = { [unowned self] in shop.storage.hasEnded }
    }

    func nextWrite() -> MemoryStorage.Write {
        if case .write(let count, let bytes) = ending {
            guard count == 0 else {
                ending = .write(count - 1, after: bytes)
                return .succeeds
            }
            ending = nil
            hasEndedEarly = true
            allowMore()
            return .ends(after: bytes)
        }
        if !diskWorks { allowMore() }
        return diskWorks ? .succeeds : .fails
    }

    /// A delivery that couldn't be written down happens once more.
    func allowMore() { for id in order { truths[id]?.allowedDeliveries += 1 } }

    func endNow() {
        ending = nil
        hasEndedEarly = true
        allowMore()
        shop.storage.hasEnded = true
    }

    func deliver(_ delivery: Delivery) throws {
        struct Failure: Error {}
        guard !shop.storage.hasEnded else { throw Failure() }
        if ending == .beforeContent {
            endNow()
            throw Failure()
        }
        guard deliveryWorks else { throw Failure() }
        shop.storage.folders[delivery.folder.lastPathComponent]?.insert("content")
        if case .purchase(let id) = delivery.evidence {
            truths[id]?.deliveries += 1
            if truths[id] == nil { violate("\(id) was never bought, and was delivered") }
            if truths[id]?.current.environment != environment { violate("\(id) of another environment was delivered") }
            if delivery.transaction?.isRevoked != false { violate("\(id) was delivered though it was refunded") }
        }
        if ending == .afterContent {
            endNow()
            throw Failure()
        }
    }

    func willFinish(_ id: String) {
        if ending == .beforeFinish { endNow() }
        guard !shop.storage.hasEnded else { return }
        let lines = shop.storage.journal.split(separator: UInt8(ascii: "\n")).lazy.reversed()
        let last =
            lines.map { String(decoding: $0, as: UTF8.self) }.first { $0.contains(#""purchase":"\#(id)""#) } ?? ""
        guard last.contains(#""stage":"delivered""#) || last.contains(#""revoked":true"#) else {
            return violate("\(id) was finished before it was delivered and on the disk: \(last)")
        }
    }

    /// A new statement of the store on a transaction.
    @discardableResult
    func say(_ transaction: StoreTransaction, isAnnounced: Bool) -> StoreTransaction {
        var transaction = transaction
        if history.hasDates {
            lastSigned = max(lastSigned + 0.001, storeTime)
            transaction.signedDate = lastSigned
        }
        if truths[transaction.id] == nil {
            truths[transaction.id] = Truth(statements: [])
            order.append(transaction.id)
        }
        truths[transaction.id]?.statements.append(transaction)
        shop.store.record(.verified(transaction))
        if isAnnounced { announce(.verified(transaction)) }
        return transaction
    }

    /// A store tells only of its own environment.
    func announce(_ statement: StoreStatement) {
        if statement.transaction.environment == environment { shop.store.announce(statement) }
    }

    func buy(_ product: String) -> StoreTransaction {
        let expires = product == "pro" ? storeTime + 3_000 : nil
        return StoreTransaction(
            id: "\(order.count + 1)",
            product: product,
            app: "com.example.trestle",
            environment: environment,
            expirationDate: expires
        )
    }

    private func truth(_ number: Int) -> Truth? { order.isEmpty ? nil : truths[order[number % order.count]] }
}

// MARK: - Events

private extension ShopHistoryRun {
    func launch() {
        do { try shop.launch() } catch { if !hasEndedEarly && diskWorks { violate("the launch failed: \(error)") } }
        shop.unlocks?.person = "me"
    }

    func happen(_ event: ShopHistory.Event) {
        switch event {
        case .launch: launch()
        case .end:
            allowMore()
            shop.end()
        case .endAt(let moment): ending = moment
        case .wait(let seconds): shop.wait(seconds)
        case .buy(let product, let answer): inApp { self.buy(product, answer, $0) }
        case .approve:
            guard let product = pending.popLast() else { return }
            say(buy(product), isAnnounced: true)
        case .decline: _ = pending.popLast()
        case .buyElsewhere(let product): say(buy(product), isAnnounced: true)
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
            guard let truth = truth(number) else { return }
            announce(.verified(isOld ? truth.statements[0] : truth.current))
        case .forge(let number):
            guard var transaction = truth(number)?.current else { return }
            transaction.isRevoked.toggle()
            transaction.signedDate = .distantFuture
            announce(.unverified(transaction, reason: "forged"))
        case .renew(let isAnnounced):
            guard let id = order.last(where: { truths[$0]?.current.product == "pro" }),
                var transaction = truths[id]?.current
            else { return }
            transaction.expirationDate = transaction.expirationDate.map { $0 + 50_000 }
            say(transaction, isAnnounced: isAnnounced)
        case .delivery(let works): deliveryWorks = works
        case .network(let works): shop.store.isReachable = works
        case .productsLate: shop.store.answersProducts = false
        case .productsArrive(let lastFirst):
            let questions = Array(0..<shop.store.waitingQuestions)
            shop.store.answerProducts(inOrder: lastFirst ? questions.reversed() : questions)
        case .disk(let works): diskWorks = works
        case .catalogue(let isWhole):
            let catalogue = isWhole ? Self.whole : Self.older
            shop.catalogue = catalogue
            if let unlocks = shop.unlocks { Task { await unlocks.use(catalogue) } }
        case .setClock(let error):
            shop.now = shop.now.advanced(by: error - clockError)
            clockError = error
        case .spend(let count): inApp { self.spend(count, $0) }
        case .claim(let referrer): inApp { self.claim(referrer, $0) }
        case .reach:
            inApp { unlocks in
                // One that fails may have been written all the same.
                do { try self.reach(unlocks) } catch { self.hasPerhapsReached = true }
            }
        case .refresh: inApp { unlocks in Task { await unlocks.refresh() } }
        case .restore: inApp { unlocks in Task { try? await unlocks.restore() } }
        case .loseContent:
            shop.end()
            shop.storage.folders = [:]
            allowMore()
        case .activate: if isRunning { shop.activity.becomeActive() }
        case .promote(let product, let answer):
            inApp { _ in
                self.answer(answer)
                self.shop.store.promote(product)
            }
        case .install(let isTestFlight):
            allowMore()
            shop.end()
            shop.store.environment = isTestFlight ? .sandbox : .production
            open = []
        case .launchLocked:
            allowMore()
            shop.end()
            (shop.storage.isLocked, shop.protectedData.isAvailable, open) = (true, false, [])
            launch()
        case .unlockDevice: unlockDevice()
        case .reset:
            inApp { unlocks in
                for id in self.order { self.truths[id]?.allowedDeliveries += 1 }
                try? unlocks.reset()
            }
        }
    }

    func unlockDevice() {
        shop.storage.isLocked = false
        shop.protectedData.isAvailable = true
    }

    /// Does something in the app, which the person opens if it isn't running.
    func inApp(_ action: @escaping @MainActor (Unlocks) -> Void) {
        if !isRunning { launch() }
        guard let unlocks = shop.unlocks, isRunning else { return }
        action(unlocks)
    }

    /// What the next attempt to buy gives.
    func answer(_ answer: ShopHistory.Answer) {
        shop.store.answer = { [unowned self] product in
            switch answer {
            case .cancelled: return .cancelled
            case .fails: throw SimulatedStore.Unreachable()
            case .pending:
                pending.append(product)
                return .pending
            case .bought:
                let transaction = say(buy(product), isAnnounced: false)
                if ending == .purchase { endNow() }
                return .purchased(.verified(transaction))
            }
        }
    }

    func buy(_ product: String, _ answer: ShopHistory.Answer, _ unlocks: Unlocks) {
        self.answer(answer)
        let item = unlocks.catalogue.items.first { $0.id == product || $0.product == product }
        guard let item else { return }
        Task {
            let result = try? await unlocks.buy(item.id)
            if item.isFree, result == .bought { self.hasTakenStarter = true }
        }
    }

    func spend(_ count: Int, _ unlocks: Unlocks) {
        let before = unlocks.doses(of: "hint")
        do {
            let isSpent = try unlocks.spend(count, of: "hint")
            if isSpent != (before >= count) { violate("of \(before) doses \(count) were spent: \(isSpent)") }
            if isSpent { spent[environment, default: 0] += count }
        } catch {
            if unlocks.doses(of: "hint") != before { violate("a spend that failed was counted") }
            if shop.storage.hasEnded { perhapsSpent[environment, default: 0] += count }
        }
    }

    func reach(_ unlocks: Unlocks) throws {
        try unlocks.didReach("first-board")
        hasReached = true
    }

    func claim(_ referrer: String, _ unlocks: Unlocks) {
        guard let rewards = try? unlocks.claim(Referral(referrer: referrer)) else {
            if referrer != "me" { isPerhapsClaimed = true }
            return
        }
        if !rewards.isEmpty, referrer == "me" { violate("one's own link earned something") }
        if referrer != "me", !claims.contains(referrer) { claims.append(referrer) }
    }
}

// MARK: - Promises

private extension ShopHistoryRun {
    /// What holds at each moment.
    func check() {
        guard let unlocks = shop.unlocks, isRunning else { return }
        var nowOpen: Set<String> = []
        for name in ["gold", "silver", "pro"] {
            let state = unlocks.state(of: name)
            guard case .unlocked(let evidence) = state else { continue }
            for case .purchase(let id) in evidence { nowOpen.insert(id) }
        }
        for id in nowOpen where truths[id]?.current.environment != environment {
            violate("\(id) is open and was never bought in this environment")
        }
        // What was open stays open, unless the store said otherwise or its time is over.
        for id in open.subtracting(nowOpen) {
            guard let truth = truths[id] else { continue }
            let wasRefunded = truth.statements.contains(where: \.isRevoked)
            let isOver = truth.statements.contains { $0.expirationDate.map { $0 <= shop.now.date } ?? false }
            if !wasRefunded, !isOver { violate("\(id) was open and isn't any more") }
        }
        open = nowOpen
        subscribers.formUnion(nowOpen.filter { truths[$0]?.current.product == "pro" })
        // Whatever the device's clock says, and whether it is online.
        for truth in subscribers.compactMap({ truths[$0] }) where truth.current.environment == environment {
            let isSubscribed = truth.statements.allSatisfy { statement in
                !statement.isRevoked && statement.expirationDate.map { $0 > storeTime } ?? true
            }
            if isSubscribed, unlocks.state(of: "pro").isLocked { violate("\(truth.current.id) is locked out") }
        }
        let packs = truths.values.filter { truth in
            truth.current.product == "hints" && truth.statements.contains { !$0.isRevoked }
                && truth.current.environment == environment
        }
        let most = packs.count * 10 + 3
        let spent = spent[environment] ?? 0
        if unlocks.doses(of: "hint") > max(0, most - spent) {
            violate("\(unlocks.doses(of: "hint")) doses of \(most) - \(spent)")
        }
        for (id, truth) in truths where truth.deliveries > truth.allowedDeliveries {
            violate("\(id) was delivered \(truth.deliveries) times")
        }
    }

    /// Things work again: then whoever paid has it, and nobody else.
    func end() {
        (deliveryWorks, diskWorks, ending) = (true, true, nil)
        shop.store.answerProducts()
        shop.store.isReachable = true
        shop.now = shop.now.advanced(by: -clockError)
        clockError = 0
        shop.catalogue = Self.whole
        unlockDevice()
        launch()
        // What the store lists at the launch is open for three days more.
        let asked = storeTime
        shop.wait(8_000)
        guard let unlocks = shop.unlocks, isRunning else { return violate("the app doesn't run") }
        let valid = order.compactMap { truths[$0]?.current }.filter {
            !$0.isRevoked && $0.environment == environment
        }
        for (name, products) in [("gold", ["gold", "everything"]), ("silver", ["everything"]), ("pro", ["pro"])] {
            let bought = valid.filter { products.contains($0.product) && $0.expirationDate.map { asked < $0 } ?? true }
            let state = unlocks.state(of: name)
            guard case .unlocked(let evidence) = state else {
                if !bought.isEmpty { violate("\(name) was paid by \(bought.map(\.id)) and is \(state)") }
                continue
            }
            let purchases = evidence.compactMap { if case .purchase(let id) = $0 { id } else { nil } }
            if Set(purchases) != Set(bought.map(\.id)) {
                violate("\(name) is open by \(purchases), and was paid by \(bought.map(\.id))")
            }
        }
        for id in order {
            let folder = shop.storage.folders["purchase-\(id)"]
            guard let truth = truths[id], truth.current.environment == environment else { continue }
            if truth.current.isRevoked, folder != nil { violate("the content of the refunded \(id) is still there") }
            // What has ended isn't delivered again.
            let isOver = truth.current.expirationDate.map { $0 <= shop.now.date } ?? false
            let isUsedUp = truth.current.product == "hints" && unlocks.doses(of: "hint") == 0
            if !truth.current.isRevoked, !isOver, !isUsedUp, folder?.contains("content") != true {
                violate("\(id) has no content")
            }
            if !shop.store.finished.contains(id) { violate("\(id) was never finished") }
        }
        endDoses(valid, unlocks)
        endRewards(unlocks)
    }

    func endDoses(_ valid: [StoreTransaction], _ unlocks: Unlocks) {
        let granted = valid.filter { $0.product == "hints" }.count * 10 + (claims.isEmpty ? 0 : 3)
        let left = unlocks.doses(of: "hint")
        let (spent, perhapsSpent) = (spent[environment] ?? 0, perhapsSpent[environment] ?? 0)
        let possible = [granted - spent, granted - spent - perhapsSpent].map { max(0, $0) }
        let reward = isPerhapsClaimed && claims.isEmpty ? 3 : 0
        if left < possible[1] || left > possible[0] + reward { violate("\(left) doses are left, not \(possible)") }
    }

    func endRewards(_ unlocks: Unlocks) {
        let isOpen =
            if case .unlocked(let evidence) = unlocks.state(of: "silver") {
                evidence.contains { if case .reward = $0 { true } else { false } }
            } else {
                false
            }
        if hasReached, !claims.isEmpty, !isOpen { violate("a reward was earned and not granted") }
        if !hasReached, !hasPerhapsReached, isOpen { violate("a reward was granted before its event") }
        if hasTakenStarter, !unlocks.state(of: "starter").isUnlocked { violate("the free item is gone") }
    }
}
