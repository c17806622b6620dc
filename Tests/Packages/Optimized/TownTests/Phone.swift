import CloudKit
import Foundation
import ReferralBridge
import ReferralInvitations
import SimulatedRuntime
import Unlocks
import UnlocksTesting

/// A phone, and an app that does what the articles say.
@MainActor
final class Phone {
    unowned let town: Town
    unowned let person: Person
    let stage: CloudStage
    let codes = PhoneCodes()
    var isOnline = true
    /// What the clock shows too much, in seconds.
    var clockError: Double {
        get { time.error }
        set { time.error = newValue }
    }
    fileprivate let time: PhoneTime
    private(set) var installation: Installation?
    private(set) var app: RunningApp?
    var isInUse = false

    init(of person: Person, in town: Town) {
        self.person = person
        self.town = town
        stage = town.cloud.another()
        time = PhoneTime(town.clock)
        codes.didSave = { [clock = town.clock, weak self] in clock.after(0) { self?.upload() } }
    }

    /// The moment by the phone's clock, in milliseconds.
    var now: Double { time.now }

    // MARK: The app on the phone

    func install() {
        guard installation == nil else { return }
        let violate = { [unowned self] (reason: String) in town.violate("\(person.account): \(reason)") }
        let first = person.firstInstallation ?? now
        person.firstInstallation = first
        let new = Installation(purchase: person.habits.contains(.silentStore) ? nil : first, violate: violate)
        installation = new
        person.dues.append(new.dues)
        download()
    }

    func delete() {
        quit()
        installation = nil
    }

    func launch() {
        guard app == nil, let installation else { return }
        let process = AppProcess(town.clock) { [weak self] in self?.quit() }
        stage.account = person.isSignedIn ? .available(person.account) : .missing
        stage.connection = { [unowned self] way in try await travel(way, process) }
        installation.dues.beginProcess(at: now)
        let app = RunningApp(process, installation, self)
        self.app = app
        if person.habits.contains(.fullDisk) { installation.file.isFull = !town.isCalm && town.dice.chance(0.2) }
        if !town.isCalm, town.dice.chance(0.04) {
            installation.file.end = (town.dice.number(0..<6), town.dice.chance(0.5))
        }
        let start = call { try await $0.start() }
        if installation.file.bytes != nil { installation.dues.noteLaunch(at: now) }
        guard case .success = start.result else { return }
        app.follow()
        carryOn()
    }

    /// The app comes to the front.
    func activate() {
        guard let app else { return launch() }
        Task { try? await app.center.readEntriesIfDue() }
        JobQueue.drain()
        carryOn()
    }

    /// Ends the app without a word.
    func quit() {
        weak let center = endApp()
        JobQueue.drain()
        if center != nil { town.violate("\(person.account): something waits for ever: the process is still there") }
    }

    private func endApp() -> InviteCenter? {
        guard let app else { return nil }
        self.app = nil
        app.end()
        installation?.file.end = nil
        return app.center
    }

    /// Calls the library, which may end the app in the middle of a write.
    ///
    /// - Returns: The result; `nil` if the app has ended. And whether something was written.
    func call<Value: Sendable>(
        _ body: @escaping @Sendable (InviteCenter) async throws -> Value
    ) -> (result: Result<Value, any Error>?, isWritten: Bool) {
        guard let app, let file = installation?.file, app.process.isAlive else { return (nil, false) }
        JobQueue.drain()
        let count = file.writeCount
        if !town.isCalm, town.dice.chance(0.01) { file.end = (0, town.dice.chance(0.5)) }
        var (result, isWritten) = (Result<Value, any Error>?.none, false)
        Task {
            do { result = .success(try await body(app.center)) } catch { result = .failure(error) }
            isWritten = file.writeCount > count
            if file.end?.writes == 0 { file.end = nil }
        }
        JobQueue.drain()
        return (app.process.isAlive ? result : nil, isWritten)
    }

    // MARK: What the app does

    /// Passes on what the libraries don't know yet.
    func carryOn() {
        guard let installation else { return }
        for arrival in installation.arrivals where app?.process.isAlive == true { pass(arrival) }
        for event in installation.events where app?.process.isAlive == true { pass(event) }
    }

    private func pass(_ arrival: Arrival) {
        guard let installation, let app else { return }
        let (referrer, time) = (arrival.referrer, now)
        let counts = installation.dues.counts(referrer, at: time)
        let (result, isWritten) = call { try await $0.record(arrival) }
        if case .success(let answer)? = result, answer != counts {
            town.violate("\(person.account): an arrival from \(referrer) counts: \(answer), and should: \(counts)")
        }
        var isRecorded = isWritten
        if case .success? = result { isRecorded = true }
        guard isRecorded else { return }
        installation.dues.noteArrival(referrer, at: time)
        guard result != nil else { return }
        Task {
            guard (try? await app.unlocks.claim(arrival)) != nil else { return }
            installation.hasClaimed = true
            installation.arrivals.removeAll { $0 == arrival }
        }
        JobQueue.drain()
    }

    private func pass(_ event: String) {
        guard let installation, let app else { return }
        // It may be signed before the call returns.
        let isNew = installation.dues.noteEvent(event, at: now, in: Town.programs)
        let (result, isWritten) = call { try await $0.recordEvent(event) }
        guard case .success? = result else {
            if isNew, !isWritten { installation.dues.forgetEvent(event) }
            return
        }
        Task {
            guard (try? await app.unlocks.recordEvent(EventName(event))) != nil else { return }
            if event == "first-board" { installation.hasBoard = true }
            installation.events.removeAll { $0 == event }
        }
        JobQueue.drain()
    }

    func reach(_ event: String) {
        guard let installation, app != nil else { return }
        installation.events.append(event)
        carryOn()
    }

    /// The person's code, as the app shows it.
    func code() -> String? {
        guard let app, let dues = installation?.dues else { return nil }
        let (result, isWritten) = call { try await $0.code() }
        // The app may have ended before it showed a new one.
        if isWritten { dues.know(app.made.codes) }
        guard case .success(let code)? = result else { return nil }
        dues.know([code.text])
        if code.text != dues.codes.min() {
            town.violate("\(person.account): \(code.text) isn't the smallest of its codes")
        }
        return code.text
    }

    /// The view with the invitation appears.
    func look() {
        guard let app, code() != nil, self.app != nil else { return }
        installation?.dues.beginView()
        Task { try? await app.center.readEntries() }
        JobQueue.drain()
    }

    /// The system opens the app with an address, often twice.
    func open(_ address: URL) {
        activate()
        guard let app, app.process.isAlive, let installation else { return }
        let tap = Timestamp(milliseconds: now).milliseconds
        app.bridge.holdsArrivals = !installation.hasOnboarded
        let outcome = app.bridge.handle(address)
        if app.isAgain(address, at: tap) {
            guard case .noReferral = outcome else { return town.violate("\(person.account): a tap counts twice") }
            return
        }
        if town.dice.chance(0.5) { app.bridge.handle(address) }
        if installation.hasOnboarded {
            guard case .found = outcome else { return town.violate("\(person.account): a tap was lost: \(outcome)") }
            installation.dueWelcomes.append(tap)
        } else {
            guard case .held = outcome else { return town.violate("\(person.account): a tap wasn't held: \(outcome)") }
            installation.heldTap = max(tap, installation.heldTap ?? tap)
        }
        JobQueue.drain()
        carryOn()
    }

    func endOnboarding() {
        guard let app, app.process.isAlive, let installation, !installation.hasOnboarded else { return }
        installation.hasOnboarded = true
        app.bridge.holdsArrivals = false
        app.bridge.releaseArrivals()
        if let tap = installation.heldTap { installation.dueWelcomes.append(tap) }
        installation.heldTap = nil
        carryOn()
    }

    /// The person types or pastes a code.
    ///
    /// - Returns: Whether it was a code.
    func enter(_ text: String) -> Bool {
        guard let code = try? InviteCode(pasting: text) else { return false }
        guard let installation, case .success(let isOwn)? = call({ await $0.isOwn(code.text) }).result
        else { return true }
        if isOwn != installation.dues.codes.contains(code.text) {
            town.violate("\(person.account): \(code.text) is its own: \(isOwn)")
        }
        let now = Timestamp(milliseconds: now)
        if !isOwn, let referral = try? Referral(referrer: code.text, timestamp: now) {
            installation.arrivals.append(Arrival(referral, road: .typed))
            carryOn()
        }
        return true
    }
}

/// The clock of a phone.
final class PhoneTime: @unchecked Sendable {
    fileprivate var error = 0.0
    private let clock: TownClock

    init(_ clock: TownClock) { self.clock = clock }

    /// In milliseconds.
    var now: Double { 1_795_219_200_000 + ((clock.now + error) * 1_000).rounded() }
}

/// The codes that a process has made.
final class MadeCodes: @unchecked Sendable {
    private(set) var codes: [String] = []

    fileprivate func make(_ dice: Dice) -> InviteCode {
        let code = dice.use { InviteCode.random(using: &$0) }
        codes.append(code.text)
        return code
    }
}

/// The app while it runs.
@MainActor
final class RunningApp {
    let process: AppProcess
    let center: InviteCenter
    let unlocks: UnlockCenter
    let bridge: AppStoreBridge
    let made = MadeCodes()
    private var opening: (address: URL, time: Double)?
    private let storage: MemoryStorage
    private var following: Task<Void, Never>?

    fileprivate init(_ process: AppProcess, _ installation: Installation, _ phone: Phone) {
        let (town, time) = (phone.town, phone.time)
        let clock = DeviceClock(
            now: { Timestamp(milliseconds: time.now) },
            uptime: { nil },
            sleep: { await process.wait($0) }
        )
        self.process = process
        let purchase = installation.dues.purchase.map { Date(timeIntervalSince1970: $0 / 1_000) }
        center = InviteCenter(
            WatchedGuestbook(
                guestbook: CloudKitGuestbook(container: CKContainer(phone.stage)),
                process: process,
                dues: installation.dues,
                now: { time.now }
            ),
            Town.programs,
            ProcessStorage(installation.file, process, installation.dues),
            ProcessCodes(codes: phone.codes, process: process, dues: installation.dues),
            nil,
            { purchase },
            clock,
            makeCode: { [made] in made.make(town.dice) }
        )
        storage = MemoryStorage(installation.shop)
        unlocks = UnlockCenter(
            store: ScriptedStore(products: []),
            catalog: Town.catalog,
            storage: storage,
            context: ShopContext(appVersion: "1.0", platform: .iOS, languages: ["en"]),
            clock: clock
        ) { _ in }
        var scanner = ReferralScanner(appID: 1_300_230_302)
        scanner.landingPages = [Town.landingPage]
        bridge = AppStoreBridge(
            scanner: scanner,
            pasteboard: InMemoryPasteboard([]),
            ledger: installation.ledger,
            clock: clock
        )
        bridge.onArrival = { arrival in
            installation.welcomes.append(arrival.timestamp.milliseconds)
            installation.arrivals.append(arrival)
        }
    }

    /// Passes on who came to what rewards them.
    func follow() {
        unlocks.start()
        let (center, unlocks) = (center, unlocks)
        following = Task {
            for await entries in await center.entryUpdates() {
                try? await unlocks.count(entries)
            }
        }
    }

    /// Whether the same address has opened the app within 2 seconds.
    fileprivate func isAgain(_ address: URL, at time: Double) -> Bool {
        defer { opening = (address, time) }
        return opening.map { $0.address == address && abs(time - $0.time) < 2_000 } ?? false
    }

    fileprivate func end() {
        following?.cancel()
        storage.hasEnded = true
        process.releaseWaits()
        JobQueue.drain()
    }
}

// MARK: - The network

extension Phone {
    /// Waits for the network, which loses requests and answers.
    private func travel(_ way: CloudStage.Way, _ process: AppProcess) async throws {
        let isBad = person.habits.contains(.badLine) && !town.isCalm
        guard process.isAlive, isOnline else { throw CKError(.networkUnavailable) }
        await process.wait(town.dice.number(0.01...(isBad ? 20 : 0.5)))
        guard process.isAlive, isOnline else { throw CKError(.networkFailure) }
        if town.dice.chance(isBad ? 0.3 : town.isCalm ? 0 : 0.005) { throw CKError(.serverResponseLost) }
        if way == .request { try town.receive(stage) }
    }

    // MARK: iCloud's key-value store

    /// What the app has saved comes to iCloud, and to the person's other phones.
    func upload() {
        town.clock.after(town.dice.number(1...(town.isCalm ? 10 : 7_200))) { [weak self] in
            guard let self, person.isSignedIn, let text = codes.text else { return }
            guard isOnline else { return upload() }
            person.iCloudCodes = text
            for phone in person.phones where phone !== self { phone.download() }
        }
    }

    /// What is in iCloud comes to the phone.
    func download() {
        town.clock.after(town.dice.number(0...(town.isCalm ? 10 : 3_600))) { [weak self] in
            guard let self, person.isSignedIn, let text = person.iCloudCodes else { return }
            guard isOnline else { return download() }
            codes.receive(text)
        }
    }
}
