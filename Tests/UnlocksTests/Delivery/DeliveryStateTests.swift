import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing
import UnlockCatalog

@testable import ReferralBasics
@testable import Unlocks

/// What `handle` does, without deliveries around it: any event, in any state, in any order.
struct DeliveryStateTests {
    @Test("any events in any order: nothing traps, a folder has one user at a time, and in the end all is delivered")
    func anyEvents() throws {
        let catalogs = try RandomDeliveries.catalogs()
        expectNoProblems { seed in
            var run = RandomDeliveries(seed: seed, catalogs, sourceCount: 6)
            run.happen(count: 150)
            run.end()
            return run.problems
        }
    }

    @Test("a doubled answer, and one to a question that isn't open, change nothing")
    func foreignAnswers() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        let source = Grant.Source.purchase("2")
        ledger.apply(.grant(Grant(source: source, amounts: ["silver": 0], stage: .recorded)))
        let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
        let moment = Timestamp(milliseconds: 0)
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] { state.handle(event, facts, at: moment) }
        #expect(handle(.recorded([source])).count == 2)
        #expect(handle(.listed(1, [])).count == 0 && handle(.listed(2, [])).count == 1)
        let before = state
        let foreign: [DeliveryState.Event] = [
            .recorded([source]), .looked(3, lost: [source]), .checked(3, isComplete: true), .listed(1, []),
            .folderMade(1, .failure(.deviceLocked)), .installed(9, .timedOut), .delivered(9, nil),
            .completed(9, .success(true)), .deliveryRecorded(3, .success(true)), .removed(3, source, nil),
            .loadProgressed(3, "gold", DownloadProgress(completedBytes: 1, totalBytes: 2)),
            .loaded(3, "gold", .success(true)), .woke(moment),
        ]
        for event in foreign {
            #expect(handle(event).isEmpty, "\(event)")
            #expect(state == before, "\(event)")
        }
    }

    @Test("what the app has written while a refunded purchase was removed is removed too")
    func refundDuringDelivery() throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        var (state, ledger) = (DeliveryState(), Ledger())
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        grant.transaction = StoreTransaction(id: "2", productID: "gold")
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        ledger.apply(.grant(grant))
        #expect(handle(.recorded([grant.source])) == ["listUnfinished", "listHistory"])
        #expect(handle(.listed(1, [])) == [] && handle(.listed(2, [])) == ["makeFolder"])
        #expect(handle(.folderMade(3, .success(URL(fileURLWithPath: "/content/2")))) == ["deliver"])
        grant.transaction?.isRevoked = true
        ledger.apply(.grant(grant))
        #expect(handle(.recorded([grant.source])) == ["remove"])
        #expect(handle(.delivered(4, nil)) == [])
        #expect(handle(.removed(5, grant.source, nil)) == ["remove"])
        #expect(handle(.removed(6, grant.source, nil)) == [] && state.entries.isEmpty)
    }

    @Test("a reset fails if one of its folders can't be removed, and files that can't be installed are reported")
    func failures() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0))
        }
        let sources = [Grant.Source.free("a"), .free("b")]
        for source in sources { ledger.apply(.grant(Grant(source: source, amounts: ["gold": 0], stage: .delivered))) }
        let removals = handle(.resetAsked(call: 1, sources)).compactMap(\.number)
        #expect(handle(.removed(removals[0], sources[0], .deviceLocked)).allSatisfy { name(ofCase: $0) != "resume" })
        let effects = handle(.removed(removals[1], sources[1], nil))
        #expect(effects.contains { if case .resume(1, .deviceLocked?) = $0 { true } else { false } })

        let gift = Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)
        (state, ledger) = (DeliveryState(), Ledger())
        ledger.apply(.grant(gift))
        _ = handle(.recorded([gift.source]))
        _ = handle(.loaded(1, "gift", .success(true)))
        _ = handle(.folderMade(2, .success(URL(fileURLWithPath: "/gift"))))
        #expect(handle(.installed(3, .noSpace(needed: 1))).map { name(ofCase: $0) } == ["report"])
        let retry = try #require(state.nextWake)
        #expect(handle(.woke(retry)).map { name(ofCase: $0) } == ["load"], "its files may be gone")
    }

    @Test("a load that is out of date is cancelled once")
    func cancelledOnce() throws {
        var catalogs = try RandomDeliveries.catalogs()
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalogs[0], now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        ledger.apply(.grant(Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)))
        #expect(handle(.recorded([.free("gift")])) == ["load"])
        #expect(handle(.catalogChanged) == [])
        catalogs.removeFirst()
        #expect(handle(.catalogChanged) == ["cancelLoad"])
        #expect(handle(.catalogChanged) == [])
    }

    @Test("a refund cancels its own load alone")
    func refundDuringLoads() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0))
        }
        var gold = Grant(source: .purchase("1"), amounts: ["gold": 0], stage: .recorded)
        gold.transaction = StoreTransaction(id: "1", productID: "gold")
        let gift = Grant(source: .free("gift"), item: "gift", amounts: ["gift": 0], stage: .recorded)
        for grant in [gold, gift] { ledger.apply(.grant(grant)) }
        #expect(handle(.recorded([gold.source, gift.source])).compactMap(\.number) == [1, 2])
        gold.transaction?.isRevoked = true
        ledger.apply(.grant(gold))
        guard case .cancelLoad(let number)? = handle(.recorded([gold.source])).first else {
            return _ = Issue.record("not cancelled")
        }
        #expect(number == state.loads["gold"]?.number && state.loads["gift"]?.isCancelled == false)
    }

    @Test("content is looked for where it is needed, and what is there after all isn't delivered again")
    func lostContent() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        var (state, ledger) = (DeliveryState(), Ledger())
        func handle(_ event: DeliveryState.Event) -> [DeliveryState.Effect] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0))
        }
        for (id, isRevoked) in [("1", false), ("2", true)] {
            var grant = Grant(source: .purchase(Name(id)), amounts: ["silver": 0], stage: .delivered)
            grant.transaction = StoreTransaction(id: id, productID: "silver", isRevoked: isRevoked)
            ledger.apply(.grant(grant))
        }
        guard case .look(1, let contents)? = handle(.storeAsked).first else { return _ = Issue.record("not asked") }
        #expect(contents.map(\.source) == [.purchase("1")])
        #expect(handle(.looked(1, lost: [.purchase("1")])).map { name(ofCase: $0) } == ["check"])
        #expect(handle(.checked(2, isComplete: true)).isEmpty && state.entries.isEmpty)
    }

    @Test("a reset delivers again what it has removed, and nothing else")
    func resetDelivery() throws {
        let catalog = try RandomDeliveries.catalogs()[0]
        for failure in [nil, UnlocksError.deviceLocked] {
            var (state, ledger) = (DeliveryState(), Ledger())
            func handle(_ event: DeliveryState.Event) -> [String] {
                let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
                return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
            }
            let source = Grant.Source.free("silver")
            ledger.apply(.grant(Grant(source: source, amounts: ["silver": 0], stage: .delivered)))
            #expect(handle(.resetAsked(call: 1, [source])) == ["remove"])
            #expect(handle(.removed(1, source, failure)) == ["resume"] + (failure == nil ? ["check"] : []))
            #expect(state.entries.isEmpty == (failure != nil))
        }
    }

    @Test("a purchase whose refund is reversed waits to be delivered, also while its folder is being removed")
    func reversedRefund() throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        var (state, ledger) = (DeliveryState(), Ledger())
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        func record(isRevoked: Bool) -> [String] {
            grant.transaction = StoreTransaction(id: "2", productID: "gold", isRevoked: isRevoked)
            ledger.apply(.grant(grant))
            return handle(.recorded([grant.source]))
        }
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        #expect(record(isRevoked: true) == ["remove"] && Array(state.undelivered) == [])
        #expect(record(isRevoked: false) == [] && Array(state.undelivered) == [grant.source])
        #expect(handle(.removed(1, grant.source, nil)) == ["listUnfinished", "listHistory"])
    }

    @Test("a refund that comes while a delivery is recorded removes its folder once", arguments: [false, true])
    func refundDuringRecord(isHeard: Bool) throws {
        let catalog = try RandomDeliveries.catalogs()[3]
        var (state, ledger) = (DeliveryState(), Ledger())
        var grant = Grant(source: .purchase("2"), amounts: ["gold": 0], stage: .recorded)
        grant.transaction = StoreTransaction(id: "2", productID: "gold")
        func handle(_ event: DeliveryState.Event) -> [String] {
            let facts = DeliveryState.Facts(ledger: ledger, catalog: catalog, now: .distantPast)
            return state.handle(event, facts, at: Timestamp(milliseconds: 0)).map { name(ofCase: $0) }
        }
        ledger.apply(.grant(grant))
        for event: DeliveryState.Event in [
            .recorded([grant.source]), .listed(1, []), .listed(2, []),
            .folderMade(3, .success(URL(fileURLWithPath: "/content/2"))), .delivered(4, nil),
        ] { _ = handle(event) }
        #expect(handle(.completed(5, .success(true))) == ["record"])
        grant.transaction?.isRevoked = true
        ledger.apply(.grant(grant))
        if isHeard { #expect(handle(.recorded([grant.source])) == []) }
        #expect(handle(.deliveryRecorded(6, .success(false))) == ["remove"])
        #expect(handle(.removed(7, grant.source, nil)) == [] && state.entries.isEmpty)
    }

    @Test("a delivery says whether uses were used up before it; a refund is recorded without one")
    func usedUp() {
        var ledger = Ledger()
        func deliver(_ id: Name, _ amounts: [UnlockID: Int], isRevoked: Bool = false) -> Bool? {
            var grant = Grant(source: .purchase(id), amounts: amounts, stage: .recorded)
            grant.transaction = StoreTransaction(id: id.rawValue, productID: "pack", isRevoked: isRevoked)
            ledger.apply(.grant(grant))
            let (entries, wasUsedUp) = DeliveryState.delivered(grant.source, in: ledger)
            for entry in entries { ledger.apply(entry) }
            return entries.isEmpty && !wasUsedUp ? nil : wasUsedUp
        }
        #expect(deliver("1", ["gold": 0]) == false)
        #expect(deliver("2", ["hint": 10]) == true)
        #expect(deliver("3", ["hint": 10]) == false)
        #expect(deliver("4", ["hint": 10], isRevoked: true) == nil)
    }

    @Test("a delivery goes on as the page of the shop says")
    func table() throws {
        let catalogs = try RandomDeliveries.catalogs()
        var table = StepTable(steps: [
            "none", "due", "waitingForCatalog", "waitingForFiles", "backingOff", "loading", "checking",
            "askingForTexts", "makingFolder", "installing", "delivering", "completing", "recording", "removing",
        ])
        for seed in 0..<UInt64(1_000) {
            var run = RandomDeliveries(seed: seed, catalogs, sourceCount: 2)
            let sources = run.sources
            run.happen(count: 100, timePasses: false) { before, event, after in
                for source in sources { table.record(before.step(of: source), event, after.step(of: source)) }
            }
        }
        try table.expect(on: "Shop.md")
    }
}

private extension DeliveryState {
    func step(of source: Grant.Source) -> String {
        guard let phase = entries[source]?.phase else { return "none" }
        // Describing a removal or a step takes long.
        return switch phase {
        case .removing: "removing"
        case .underway: step.map { name(ofCase: $0.kind) } ?? "none"
        default: name(ofCase: phase)
        }
    }
}

/// Deliveries to which anything happens.
private struct RandomDeliveries {
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
        let waits = phases.contains(.backingOff) || state.step?.kind == .askingForTexts
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
        case .listUnfinished, .listHistory:
            let transaction = StoreTransaction(id: "1", productID: "gold", signedText: "text")
            return .listed(number, fails ? [] : [.verified(transaction)])
        case .makeFolder(_, let source):
            let folder = URL(fileURLWithPath: "/content/\(source.folderName)")
            return .folderMade(number, fails ? .failure(.storage("full")) : .success(folder))
        case .install: return .installed(number, fails ? .noSpace(needed: 1) : nil)
        case .deliver: return .delivered(number, fails ? UnlocksError.deviceLocked : nil)
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

private extension DeliveryState.Effect {
    /// The number of a question.
    var number: Int? {
        switch self {
        case .look(let number, _), .check(let number, _), .listUnfinished(let number), .listHistory(let number),
            .makeFolder(let number, _),
            .install(let number, _, _), .deliver(let number, _), .complete(let number, _), .record(let number, _),
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
        case .look, .check, .listUnfinished, .listHistory, .deliver, .record, .cancelLoad, .report, .tell, .resume: nil
        }
    }
}
