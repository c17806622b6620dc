import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlockCatalog

@testable import ReferralBasics
@testable import Unlocks

/// What `handle` does with any event, in any state, in any order.
struct RandomDeliveriesTests {
    @Test("any events in any order: nothing traps, a folder has one user at a time, and in the end all is delivered")
    func anyEvents() throws {
        let catalogs = try RandomDeliveries.catalogs()
        expectNoProblems(of: randomSeeds(100, optimized: 5_000)) { seed in
            var run = RandomDeliveries(seed: seed, catalogs, sourceCount: 6)
            run.happen(count: 150)
            run.end()
            return run.problems
        }
    }
}

/// Deliveries to which anything happens.
struct RandomDeliveries {
    let sources: [Grant.Source]
    private(set) var problems: [String] = []

    private var random: SeededGenerator
    private var state = DeliveryState()
    private var ledger = Ledger()
    private let catalogs: [ShopCatalog]
    private var catalog: ShopCatalog
    private var moment = Timestamp(milliseconds: 0)
    /// The questions that were asked and may be answered, also twice.
    private var asked: [DeliveryState.Effect] = []
    private var unanswered: Set<Int> = []
    private var lastNumber = 0
    /// The questions that use a folder, by its name.
    private var users: [String: Set<Int>] = [:]
    private var lastCall = 0
    private var calls: Set<Int> = []

    init(seed: UInt64, _ catalogs: [ShopCatalog], sourceCount: Int) {
        random = SeededGenerator(state: seed)
        self.catalogs = catalogs
        catalog = catalogs[0]
        let all: [Grant.Source] = [
            .purchase("1"), .purchase("3"), .purchase("2"), .free("gift"), .reward("welcome", referrer: "ben"),
            .purchase("4"),
        ]
        sources = Array(all.prefix(sourceCount))
    }

    /// One with all items, and some that lack items or files, or have other files.
    static func catalogs() throws -> [ShopCatalog] {
        func file(_ content: Character) -> String { #","files":[\#(CatalogItem.File.json("x", content))]"# }
        func catalog(_ gold: String?, _ gift: String?) throws -> ShopCatalog {
            try .of(
                items: [
                    gold.map { #"{"id":"gold","product":"gold","kind":"nonConsumable","grants":["gold"]\#($0)}"# },
                    #"{"id":"silver","product":"silver","kind":"nonConsumable","grants":["silver"]}"#,
                    gift.map { #"{"id":"gift","free":true,"kind":"nonConsumable","grants":["gift"]\#($0)}"# },
                ].compactMap(\.self).joined(separator: ",")
            )
        }
        return [
            try catalog(file("a"), file("a")), try catalog(file("b"), ""), try catalog("", file("b")),
            try catalog(nil, nil),
        ]
    }

    /// Lets events happen. If time passes, deadlines come with any of them, and otherwise only with their own.
    mutating func happen(
        count: Int,
        timePasses: Bool = true,
        _ visit: (DeliveryState, DeliveryState.Event, DeliveryState) -> Void = { _, _, _ in }
    ) {
        for _ in 0..<count where problems.isEmpty {
            let wait: Double = [0, 0, 1, 40, 1_000, 900_000].randomElement(using: &random) ?? 0
            if timePasses { moment = moment.advanced(by: wait / 1_000) }
            let event = makeEvent()
            let before = state
            handle(event)
            visit(before, event, state)
            if chance(20) { handle(event) }
        }
    }

    /// Answers every question, and lets every deadline come, with a catalog that has everything.
    mutating func end() {
        catalog = catalogs[0]
        handle(.catalogChanged)
        for _ in 0..<2_000 where problems.isEmpty {
            if let question = asked.first(where: { unanswered.contains($0.number ?? 0) }) {
                if let event = answer(to: question, fails: false) { handle(event) }
            } else if let wake = state.nextWake {
                moment = max(moment, wake)
                handle(.woke(wake))
            } else {
                break
            }
        }
        guard problems.isEmpty else { return }
        if !state.entries.isEmpty { problems.append("still there: \(state.entries)") }
        let due = ledger.all.filter(\.isDue).map(\.source)
        if !due.isEmpty { problems.append("never delivered: \(Array(due))") }
        if !calls.isEmpty { problems.append("calls without an answer: \(calls.sorted())") }
    }

    private mutating func handle(_ event: DeliveryState.Event) {
        let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
        for effect in state.handle(event, facts, at: moment) {
            if let number = effect.number { ask(number, effect, after: event) }
            switch effect {
            case .resume(let call, _):
                if calls.remove(call) == nil { problems.append("call \(call) was answered twice after \(event)") }
            case .tell(let grant):
                if ledger[grant.source]?.isGranted != true { problems.append("told of \(grant.source) after \(event)") }
            case .deliver(_, let delivery):
                let grant = ledger.all.first { $0.source.evidence == delivery.evidence }
                if grant?.isRevoked != false { problems.append("delivers \(delivery.evidence) after \(event)") }
            default: break
            }
        }
        // Others come with their own event.
        if case .woke = event, let wake = state.nextWake, wake < moment {
            problems.append("a deadline in the past after \(event)")
        }
        let phases = state.entries.values.map(\.phase)
        let waits = phases.contains(.backingOff)
        if waits != (state.nextWake != nil) {
            problems.append("deadlines don't match pauses after \(event)")
        }
        if phases.count(where: { $0 == .underway }) > 1 { problems.append("two are under way after \(event)") }
        if phases.contains(.due), state.step == nil, state.look == nil {
            problems.append("nothing is done for one that is due after \(event)")
        }
    }

    private mutating func ask(_ number: Int, _ effect: DeliveryState.Effect, after event: DeliveryState.Event) {
        if number <= lastNumber { problems.append("\(number) was asked twice") }
        lastNumber = max(number, lastNumber)
        asked.append(effect)
        unanswered.insert(number)
        guard let folder = effect.folder else { return }
        users[folder, default: []].insert(number)
        if users[folder]?.count != 1 { problems.append("\(folder) is used twice after \(event)") }
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
}

// MARK: - Random events

private extension RandomDeliveries {
    mutating func makeEvent() -> DeliveryState.Event {
        if !chance(3) {
            let open = asked.filter { unanswered.contains($0.number ?? 0) }
            let question = chance(8) ? asked.randomElement(using: &random) : open.randomElement(using: &random)
            if let question, let event = answer(to: question, fails: chance(3)) { return event }
        }
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return .ledgerChanged
        case 1, 2, 3, 4: return .recorded([changeGrant()])
        case 5:
            lastCall += 1
            calls.insert(lastCall)
            return .resetAsked(call: lastCall, sources.filter { _ in chance(2) })
        case 6:
            catalog = catalogs.randomElement(using: &random) ?? catalog
            return .catalogChanged
        case 7: return .storeAsked
        case 8, 9:
            let id = name().rawValue
            return .told([StoreTransaction(id: id, productID: "gold", signedText: chance(2) ? nil : "text")])
        default: return .woke(state.nextWake ?? moment)
        }
    }

    private mutating func source() -> Grant.Source { sources.randomElement(using: &random) ?? sources[0] }

    private mutating func name() -> Name { if case .purchase(let name) = source() { name } else { "9" } }

    /// Records a purchase, its refund, or the reversal of that.
    private mutating func changeGrant() -> Grant.Source {
        let source = source()
        var grant = Grant(source: source, amounts: ["silver": 0], stage: .recorded)
        switch source {
        case .purchase(let id):
            let product: ProductID = id == "2" ? "silver" : "gold"
            grant.transaction = StoreTransaction(id: id.rawValue, productID: product)
            (grant.item, grant.hasFiles) = (ItemID(product.rawValue), id == "3")
        case .free(let item): grant.item = item
        default: break
        }
        if let old = ledger[source] {
            guard case .purchase = source, chance(2) else { return source }
            grant = old
            let wasRevoked = old.isRevoked
            grant.transaction?.isRevoked = !wasRevoked
            // It is delivered again after a reversal.
            if wasRevoked { grant.stage = .recorded }
        }
        ledger.apply(.grant(grant))
        return source
    }

    /// The answer to a question. Only the first one has happened on the disk.
    private mutating func answer(to question: DeliveryState.Effect, fails: Bool) -> DeliveryState.Event? {
        guard let number = question.number else { return nil }
        let isFirst = unanswered.remove(number) != nil
        if let folder = question.folder { users[folder]?.remove(number) }
        switch question {
        case .look(_, let contents):
            return .looked(number, lost: contents.map(\.source).filter { _ in fails && chance(2) })
        case .check: return .checked(number, isComplete: !fails)
        case .makeFolder(_, let source):
            let folder = URL(fileURLWithPath: "/content/\(source.folderName)")
            return .folderMade(number, fails ? .failure(.storage("full")) : .success(folder))
        case .install: return .installed(number, fails ? .noSpace(needed: 1) : nil)
        case .deliver: return .delivered(number, fails ? UnlocksError.folderInUse : nil)
        case .complete: return .completed(number, fails ? chance(2) ? .success(false) : failure : .success(true))
        case .record(_, let source):
            guard !fails else { return .deliveryRecorded(number, failure) }
            let (entries, _) = DeliveryState.delivered(source, in: ledger)
            if isFirst { for entry in entries { ledger.apply(entry) } }
            return .deliveryRecorded(number, .success(chance(4)))
        case .load(_, let item, _, _):
            if chance(4), isFirst, !fails {
                // It goes on.
                unanswered.insert(number)
                if let folder = question.folder { users[folder]?.insert(number) }
                let progress = DownloadProgress(completedBytes: number, totalBytes: 1_000_000)
                return .loadProgressed(number, item.id, progress)
            }
            let isCancelled = state.loads[item.id]?.isCancelled ?? chance(2)
            let error = isCancelled ? DownloadError.cancelled : .status(503, retryAfter: 5)
            let failure = ContentDownloads.Failure(path: "x", error: error, retryAfter: error.retryAfter)
            return .loaded(number, item.id, fails ? .failure(failure) : .success(chance(2)))
        case .remove(_, let source): return .removed(number, source, fails ? .storage("full") : nil)
        case .cancelLoad, .report, .tell, .resume: return nil
        }
    }

    private var failure: Result<Bool, UnlocksError> { .failure(.storage("full")) }
}

extension DeliveryState.Effect {
    /// The number of a question.
    var number: Int? {
        switch self {
        case .look(let number, _), .check(let number, _), .makeFolder(let number, _), .install(let number, _, _),
            .deliver(let number, _), .complete(let number, _), .record(let number, _),
            .load(let number, _, _, _), .remove(let number, _):
            number
        case .cancelLoad, .report, .tell, .resume: nil
        }
    }

    /// The name of the folder into which this writes, or which it removes.
    var folder: String? {
        switch self {
        case .makeFolder(_, let source), .load(_, _, let source, _), .remove(_, let source): source.folderName
        case .install(_, _, let folder): folder.lastPathComponent
        case .complete(_, let grant): grant.source.folderName
        case .look, .check, .deliver, .record, .cancelLoad, .report, .tell, .resume: nil
        }
    }
}
