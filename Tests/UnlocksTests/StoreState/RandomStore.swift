import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport

@testable import ReferralBasics
@testable import Unlocks

/// A store's state to which anything happens.
struct RandomStore {
    private(set) var problems: [String] = []
    private var state = StoreState(for: "app")
    private var closed: UnlocksError? = .notStarted

    private var random: SeededGenerator
    private var ledger = Ledger()
    private let catalogs: [ShopCatalog]
    private var catalog: ShopCatalog
    private let paidBefore: PaidBefore?
    private var moment = Timestamp(milliseconds: 1_795_219_200_000)
    /// The questions that were asked and may be answered, also twice.
    private var asked: [StoreState.Effect] = []
    /// Those that aren't answered, and their numbers.
    private var open: [StoreState.Effect] = []
    private var unanswered: Set<Int> = []
    private var lastNumber = 0
    private var lastCall = 0
    private var calls: Set<Int> = []
    /// The versions of each transaction.
    private var versions: [String: Int] = [:]

    init(seed: UInt64, _ catalogs: [ShopCatalog]) {
        random = SeededGenerator(state: seed)
        self.catalogs = catalogs
        catalog = catalogs[0]
        paidBefore = seed.isMultiple(of: 2) ? PaidBefore(grants: ["pro"], firstFreeVersions: [.iOS: "2"]) : nil
    }

    /// One that sells everything, and one that lacks a product.
    static func catalogs() throws -> [ShopCatalog] {
        let (gold, pro) = (
            #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]}"#,
            #"{"id":"pro","product":"pro","kind":"subscription","grants":["studio"]}"#
        )
        return [try .of(items: [gold, pro].joined(separator: ",")), try .of(items: pro), try .of()]
    }

    /// Lets events happen. Deadlines come with any of them.
    mutating func happen(count: Int) {
        for _ in 0..<count where problems.isEmpty {
            let wait: Double = [0, 0, 1, 40, 1_000, 900_000].randomElement(using: &random) ?? 0
            moment = moment.advanced(by: wait / 1_000)
            let event = makeEvent()
            handle(event)
            if chance(20) { handle(event) }
        }
    }

    /// Answers every question, and lets every deadline come, with a catalog that has everything.
    mutating func end() {
        catalog = catalogs[0]
        if closed == .notStarted { handle(.started) }
        handle(.catalogChanged(call: nextCall()))
        for _ in 0..<2_000 where problems.isEmpty {
            if let question = open.first {
                if let event = answer(to: question, fails: false) { handle(event) }
            } else if let wake = state.nextWake {
                moment = max(moment, wake)
                handle(.woke(wake))
            } else {
                break
            }
        }
        guard problems.isEmpty else { return }
        if !calls.isEmpty { problems.append("calls without an answer: \(calls.sorted())") }
        if !state.questions.isEmpty { problems.append("questions: \(state.questions)") }
        if !state.refreshes.isEmpty || !state.buys.isEmpty || !state.restores.isEmpty {
            problems.append("still there: \(state.refreshes) \(state.buys) \(state.restores)")
        }
        if !state.later.isEmpty || !state.claims.isEmpty || !state.updates.isEmpty {
            problems.append("never written: \(state.later) \(state.claims) \(state.updates)")
        }
        if state.opening != nil || closed != nil { problems.append("never opened") }
    }

    private var facts: StoreState.Facts {
        StoreState.Facts(
            ledger: ledger,
            catalog: catalog,
            assortment: Assortment(catalog, edition: nil),
            paidBefore: paidBefore,
            platform: .iOS,
            closed: closed,
            now: moment.date,
            clock: moment.date
        )
    }

    private mutating func handle(_ event: StoreState.Event) {
        for effect in state.handle(event, facts, at: moment) {
            if let number = effect.number {
                if number <= lastNumber { problems.append("\(number) was asked twice") }
                lastNumber = max(number, lastNumber)
                asked.append(effect)
                open.append(effect)
                unanswered.insert(number)
            }
            switch effect {
            case .resume(let call, _):
                if calls.remove(call) == nil { problems.append("call \(call) was answered twice after \(event)") }
            case .finish(_, let transaction):
                if ledger[.purchase(Name(transaction.id))].map(\.isDue) ?? true {
                    problems.append("\(transaction.id) is finished too early after \(event)")
                }
            case .deliver(.recorded(let sources)):
                if sources.contains(where: { ledger[$0] == nil }) {
                    problems.append("something that isn't on the disk is delivered after \(event)")
                }
            case .count(let answer): ledger.apply(.answer(answer))
            default: break
            }
        }
        // Others come with their own event.
        if case .woke = event, let wake = state.nextWake, wake < moment {
            problems.append("a deadline in the past after \(event)")
        }
        if !unanswered.isSuperset(of: state.questions.keys) { problems.append("a question that wasn't asked") }
        if closed != nil, state.isStarted, state.opening == nil, closed?.isRetried == true, state.nextWake == nil {
            problems.append("the journal isn't opened again after \(event)")
        }
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func nextCall() -> Int {
        lastCall += 1
        calls.insert(lastCall)
        return lastCall
    }
}

private extension UnlocksError {
    var isRetried: Bool {
        switch self {
        case .storage, .folderInUse: true
        default: false
        }
    }
}

// MARK: - Random events

private extension RandomStore {
    mutating func makeEvent() -> StoreState.Event {
        if !chance(3) {
            let question = chance(8) ? asked.randomElement(using: &random) : open.randomElement(using: &random)
            if let question, let event = answer(to: question, fails: chance(3)) { return event }
        }
        switch Int.random(in: 0..<22, using: &random) {
        case 0: return .started
        case 1: return .delivered
        case 2: return chance(2) ? .journalAwaited(call: nextCall()) : .openAsked(call: nextCall())
        case 3: return .refreshAsked(call: nextCall())
        case 4: return .becameActive
        case 5:
            catalog = catalogs.randomElement(using: &random) ?? catalog
            return .catalogChanged(call: nextCall())
        case 6: return .environmentChanged
        case 7: return .storefrontChanged
        case 8: return .ownReferrerChanged
        case 9, 10:
            let product = ["gold", "pro"].randomElement(using: &random) ?? "gold"
            return .buyAsked(call: nextCall(), ProductID(product), isSubscription: product == "pro")
        case 11: return .restoreAsked(call: nextCall())
        case 12:
            let referrer = Name("\(Int.random(in: 0..<5, using: &random))")
            return .claimed(call: nextCall(), [Claim(referrer: referrer, parameters: [:], isSigned: false)])
        case 13: return .reached(call: nextCall(), "first-board")
        case 14: return .updated(statement())
        case 15: return .changed
        case 16: return .updatesEnded
        case 17:
            // One was delivered.
            if let due = ledger.all.first(where: \.isDue) {
                for entry in DeliveryState.delivered(due.source, in: ledger).entries { ledger.apply(entry) }
            }
            return .delivered
        case 18: return .wrote
        case 19: return .changed
        case 20: return .editionChanged
        default: return .woke(state.nextWake ?? moment)
        }
    }

    /// What the store says of a purchase: it was made, renewed or revoked, it is another app's, or it is forged.
    mutating func statement() -> StoreStatement {
        let id = "\(Int.random(in: 1...4, using: &random))"
        let isSubscription = id == "2"
        versions[id, default: 0] += Int.random(in: 0...1, using: &random)
        let version = versions[id] ?? 0
        var transaction = StoreTransaction(
            id: id,
            productID: isSubscription ? "pro" : "gold",
            productKind: isSubscription ? .subscription : nil,
            app: chance(20) ? "other" : "app",
            signedDate: chance(4) ? nil : Date(timeIntervalSince1970: Double(version)),
            expirationDate: isSubscription ? moment.date + 100 : nil,
            signedText: "text"
        )
        transaction.isRevoked = version % 3 == 2
        return chance(20) ? .unverified(transaction, reason: "forged") : .verified(transaction)
    }

    mutating func statements() -> [StoreStatement] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in statement() }
    }

    /// The answer to a question. Only the first one has happened on the disk.
    mutating func answer(to question: StoreState.Effect, fails: Bool) -> StoreState.Event? {
        guard let number = question.number else { return nil }
        let isFirst = unanswered.remove(number) != nil
        if isFirst { open.removeAll { $0.number == number } }
        func saved<Value>(
            _ decided: (entries: [JournalEntry], value: Value),
            _ ledger: inout Ledger
        ) -> Result<Value, UnlocksError> {
            if let closed { return .failure(closed) }
            if fails, !decided.entries.isEmpty { return .failure(.storage("full")) }
            if isFirst { for entry in decided.entries { ledger.apply(entry) } }
            return .success(decided.value)
        }
        switch question {
        case .prepare: return .prepared(number)
        case .open:
            let errors: [UnlocksError] = [.storage("full"), .folderInUse]
            let error = fails ? errors.randomElement(using: &random) ?? .folderInUse : nil
            // Only one that was asked for opens it.
            if isFirst { closed = error }
            return .opened(number, error.map { .failure($0) } ?? .success([]))
        case .record(_, let transactions):
            let changes = ledger.changes(for: transactions, in: catalog, at: moment.date)
            return .recorded(number, saved((changes.entries, changes), &ledger))
        case .settle(_, let claims, let event):
            return .settled(number, saved(ledger.settling(claims, reaching: event, for: nil, in: catalog), &ledger))
        case .keepAdditions: return .additionsKept(number, fails ? .storage("full") : nil)
        case .saveAnswer(_, let answer):
            return .answerSaved(number, saved((ledger.isNew(answer) ? [.answer(answer)] : [], ()), &ledger).failure)
        case .saveApp(_, _, let kept):
            if !fails, isFirst, closed == nil { ledger.apply(.kept(kept)) }
            return .appSaved(number, fails ? .storage("full") : nil)
        case .listEntitlements, .listHistory, .listUnfinished: return .listed(number, fails ? [] : statements())
        case .loadProducts(_, let identifiers):
            let products = identifiers.map { StoreProduct(id: $0, price: "1 €") }
            let result: Result<[StoreProduct], any Error> = .success(chance(3) && fails ? [] : products)
            return .products(number, fails && chance(2) ? .failure(StoreError.unreachable) : result)
        case .loadApp:
            guard !fails else { return .app(number, .failure(StoreError.unreachable)) }
            let signed = Date(timeIntervalSince1970: Double(number))
            return .app(number, .success(chance(4) ? nil : .onIPhone(chance(2) ? "1" : "3", signed: signed)))
        case .loadCatalog: return .catalogLoaded(number)
        case .finish: return .finished(number)
        case .purchase:
            guard !fails else { return .purchased(number, .failure(StoreError.unreachable)) }
            let result: StorePurchaseResult = chance(3) ? .cancelled : chance(3) ? .pending : .purchased(statement())
            return .purchased(number, .success(result))
        case .sync: return .synced(number, fails ? StoreError.unreachable : nil)
        default: return nil
        }
    }
}

extension StoreState.Effect {
    /// The number of a question.
    var number: Int? {
        switch self {
        case .prepare(let number), .open(let number), .record(let number, _), .settle(let number, _, _),
            .keepAdditions(let number), .saveAnswer(let number, _), .saveApp(let number, _, _),
            .listEntitlements(let number), .listHistory(let number),
            .listUnfinished(let number), .loadProducts(let number, _), .loadApp(let number, _),
            .loadCatalog(let number), .finish(let number, _), .purchase(let number, _, _), .sync(let number):
            number
        default: nil
        }
    }
}
