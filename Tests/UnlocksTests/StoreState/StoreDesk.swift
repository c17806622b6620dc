import Foundation
import ReferralBridge
import TestSupport

@testable import ReferralBasics
@testable import Unlocks

/// A store's state, and a disk that answers at once, also that it is full.
struct StoreDesk {
    static let catalog = ShopCatalog.known(
        items: #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]}"#
    )
    static let gold = StoreTransaction(id: "1", productID: "gold")

    var state = StoreState(for: nil)
    var ledger = Ledger()
    var catalog = StoreDesk.catalog
    var paidBefore: PaidBefore?
    private(set) var closed: UnlocksError?
    /// Why the journal can't be opened; `nil` if it can.
    var failure: UnlocksError?
    var moment = Timestamp(milliseconds: 0)
    /// The moment at which purchases are judged.
    var now = Date.distantPast
    /// Whether the disk has room, and whether it answers.
    var (hasRoom, answers) = (true, true)
    /// What was asked of the disk and isn't answered.
    private var held: [StoreState.Effect] = []
    /// What was asked of the outside, except of the disk.
    private(set) var effects: [StoreState.Effect] = []
    private var lastCall = 0

    /// One whose journal is open.
    init() {}

    /// One whose journal can't be opened, for a reason.
    init(failure: UnlocksError) { (closed, self.failure) = (.notStarted, failure) }

    var facts: StoreState.Facts {
        StoreState.Facts(
            ledger: ledger,
            catalog: catalog,
            assortment: Assortment(catalog, edition: nil),
            paidBefore: paidBefore,
            platform: .iOS,
            closed: closed,
            now: now,
            clock: moment.date
        )
    }

    /// The names of what is asked, except what is told to the deliveries and the views.
    var names: [String] {
        effects.map { name(ofCase: $0) }.filter { !["deliver", "publish"].contains($0) }
    }

    /// Lets something happen, and what follows on the disk.
    mutating func handle(_ event: StoreState.Event) {
        var events = [event]
        while !events.isEmpty {
            for effect in state.handle(events.removeFirst(), facts, at: moment) {
                if !effect.isForDisk {
                    effects.append(effect)
                } else if answers {
                    events.append(answer(to: effect))
                } else {
                    held.append(effect)
                }
            }
        }
    }

    /// The disk answers what it was asked.
    mutating func answerHeld() {
        let asked = held
        (held, answers) = ([], true)
        for effect in asked { handle(answer(to: effect)) }
    }

    /// Lets time pass until the next deadline.
    ///
    /// - Returns: The seconds that have passed; `nil` if nothing is waited for.
    @discardableResult
    mutating func wake() -> Double? {
        guard let wake = state.nextWake else { return nil }
        defer { moment = wake }
        let seconds = (wake.milliseconds - moment.milliseconds) / 1_000
        moment = wake
        handle(.woke(wake))
        return seconds
    }

    /// Forgets what was asked, and returns the names of it.
    mutating func takeNames() -> [String] {
        defer { effects = [] }
        return names
    }

    mutating func nextCall() -> Int {
        lastCall += 1
        return lastCall
    }

    /// The store tells statements about purchases.
    mutating func tell(_ transactions: StoreTransaction...) {
        for transaction in transactions { handle(.updated(.verified(transaction))) }
    }

    /// The statements that wait.
    var waiting: [StoreTransaction] { state.later.sorted { $0.key < $1.key }.map(\.value) }

    var unrecorded: Set<ProductID> { state.unrecordedProducts(besides: ledger) }

    /// How many purchases were reported that the catalog lacks.
    var unknownCount: Int {
        effects.count { if case .report(.unknownProduct) = $0 { true } else { false } }
    }

    mutating func answer(to effect: StoreState.Effect) -> StoreState.Event {
        func result<Value>(_ entries: [JournalEntry], _ value: Value) -> Result<Value, UnlocksError> {
            guard closed == nil else { return .failure(.folderInUse) }
            guard hasRoom || entries.isEmpty else { return .failure(.storage("full")) }
            for entry in entries { ledger.apply(entry) }
            return .success(value)
        }
        switch effect {
        case .prepare(let number): return .prepared(number)
        case .open(let number):
            closed = failure
            return .opened(number, failure.map { .failure($0) } ?? .success([]))
        case .record(let number, let transactions):
            let changes = ledger.changes(for: transactions, in: catalog, at: moment.date)
            return .recorded(number, result(changes.entries, changes))
        case .settle(let number, let claims, let event):
            let (entries, settlement) = ledger.settling(claims, reaching: event, for: nil, in: catalog)
            return .settled(number, result(entries, settlement))
        case .keepAdditions(let number):
            let entries = ledger.keeping(Assortment(catalog, edition: nil).additions)
            return .additionsKept(number, result(entries, ()).failure)
        case .saveAnswer(let number, let answer):
            return .answerSaved(number, result(ledger.isNew(answer) ? [.answer(answer)] : [], ()).failure)
        case .saveApp(let number, _, let kept):
            return .appSaved(number, result(ledger.kept == kept ? [] : [.kept(kept)], ()).failure)
        default: preconditionFailure("the disk isn't asked")
        }
    }
}

extension StoreState.Effect {
    /// Whether the disk answers it.
    var isForDisk: Bool {
        switch self {
        case .prepare, .open, .record, .settle, .keepAdditions, .saveAnswer, .saveApp: true
        default: false
        }
    }
}
