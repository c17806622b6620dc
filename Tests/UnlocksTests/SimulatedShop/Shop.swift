import Foundation
import ReferralBridge
import SimulatedRuntime
import Testing
import Unlocks

/// An app with a shop, on a device that it is launched on again and again.
@MainActor
final class Shop {
    let store: SimulatedStore
    let storage: MemoryStorage
    /// The web, for all processes, and what loads files from it in this one.
    let web: SimulatedWeb
    let loader: SimulatedLoader
    /// The device's clock.
    let clock: SimulatedClock
    private(set) var unlocks: UnlockCenter?
    /// The moment on the device's clock. Setting it changes also when those are due who wait.
    var now: Timestamp {
        get { clock.now }
        set { clock.jump(to: newValue) }
    }
    var catalog: ShopCatalog
    var context = ShopContext(appVersion: "3.0", platform: .iOS, languages: ["en"])
    var paidBefore: PaidBefore?
    /// Whether the app is in front.
    let activity = SimulatedActivity()
    var deliver: UnlockCenter.Deliver = { _ in }
    private(set) var problems: [UnlocksProblem] = []
    /// What was delivered, in order.
    private(set) var deliveries: [Delivery] = []
    /// How often the app was woken.
    var wakings: Int { clock.wakings }

    init(_ catalog: ShopCatalog) {
        self.catalog = catalog
        store = SimulatedStore()
        storage = MemoryStorage()
        clock = SimulatedClock()
        web = SimulatedWeb { [clock] in clock.now }
        loader = SimulatedLoader(web, storage)
        store.now = { [clock] in clock.now.date }
    }

    /// Another process of the same app on the same device, such as an extension.
    init(beside other: Shop) {
        catalog = other.catalog
        store = SimulatedStore(other.store.records)
        storage = MemoryStorage(other.storage.disk)
        clock = other.clock
        web = other.web
        loader = SimulatedLoader(web, storage)
    }

    /// Runs a test at once and in one order.
    static func run(_ catalog: ShopCatalog = .goldAndPro, _ test: @escaping @MainActor (Shop) throws -> Void) throws {
        var result: Result<Void, any Error> = .success(())
        var hasRun = false
        JobQueue.run {
            let shop = Shop(catalog)
            result = Result { try test(shop) }
            shop.end()
            hasRun = true
        }
        precondition(hasRun)
        try result.get()
    }

    /// Ends the app without a word, if it runs, and launches it.
    ///
    /// - Throws: Why the folder can't be opened.
    func launch() throws {
        let unlocks = makeUnlocks()
        let before = problems.count
        unlocks.start()
        JobQueue.drain()
        for case .notOpened(let error) in problems[before...] { throw error }
    }

    /// Ends the app without a word, if it runs, and launches one that doesn't start its shop.
    func makeUnlocks() -> UnlockCenter {
        end()
        loader.pause = { [unowned self] in await clock.sleep($0, of: ObjectIdentifier(self), for: .line) }
        storage.hasEnded = false
        let unlocks = UnlockCenter(
            store: store,
            catalog: catalog,
            storage: storage,
            context: context,
            paidBefore: paidBefore,
            appIdentifier: "com.example.trestle",
            clock: clock.clock(of: ObjectIdentifier(self)),
            activity: activity,
            downloads: loader
        ) { [weak self] delivery in
            guard let self else { return }
            try await deliver(delivery)
            deliveries.append(delivery)
        }
        unlocks.onProblem = { [weak self] in self?.problems.append($0) }
        self.unlocks = unlocks
        return unlocks
    }

    /// Asks the store, and waits for what comes of it.
    func refresh() {
        guard let unlocks else { return }
        Task { await unlocks.refresh() }
        JobQueue.drain()
    }

    /// The store has a statement from now on, and tells it.
    func tell(_ statement: StoreStatement) {
        store.record(statement)
        store.announce(statement)
        JobQueue.drain()
    }

    /// The state of an unlock; `nil` if the app doesn't run.
    func state(_ unlock: UnlockID) -> UnlockState? { unlocks?.state(of: unlock) }

    /// Ends the app without a word.
    func end() {
        storage.hasEnded = true
        unlocks = nil
        // Whoever waits goes on once, and finds that nothing works any more. A test may still hold the app.
        for _ in 0..<1_000 {
            store.disconnect()
            // What is answered now may wait for the disk next.
            JobQueue.drain()
            // The app's own timers come last, since what it tries again then waits for the disk anew.
            let app = ObjectIdentifier(self)
            let hasWaited = clock.wakeAll(of: app, exceptApp: true) || clock.wakeAll(of: app)
            JobQueue.drain()
            guard hasWaited || store.isAsked else { break }
        }
        storage.close()
    }

    /// Lets time pass, and what is due happen.
    func wait(_ seconds: Double) { clock.wait(seconds) }

    /// Sets the clock. Those who wait are woken after the same time as before.
    func setClock(by seconds: Double) { clock.set(to: now.advanced(by: seconds)) }

    /// Lets something take time that the app doesn't wait for with its clock: a delivery, or the disk.
    func takeTime(_ seconds: Double) async { await clock.sleep(seconds, of: ObjectIdentifier(self), for: .work) }
}

/// Something that an app begins. In a simulation, what it waits for happens at once, unless it waits for time or the store.
@MainActor
final class Attempt<Value: Sendable> {
    private(set) var result: Result<Value, any Error>?

    init(_ operation: @escaping @MainActor () async throws -> Value) {
        Task { do { result = .success(try await operation()) } catch { result = .failure(error) } }
        JobQueue.drain()
    }

    func get() throws -> Value { try #require(result, "it hasn't ended").get() }
}

extension Shop {
    /// The app has another catalog from now on.
    func use(_ catalog: ShopCatalog) {
        self.catalog = catalog
        Task { [unlocks] in await unlocks?.use(catalog) }
        JobQueue.drain()
    }

    /// Tries to buy an item.
    func buy(_ item: ItemID) throws -> UnlockCenter.Purchase {
        let unlocks = try #require(unlocks)
        return try Attempt { try await unlocks.buy(item) }.get()
    }
}

extension UnlockCenter {
    @discardableResult
    func spend(_ count: Int = 1, of unlock: UnlockID) throws -> Bool {
        try Attempt { try await self.spend(count, of: unlock) }.get()
    }

    @discardableResult
    func claim(_ arrival: Arrival) throws -> [RewardID] { try Attempt { try await self.claim(arrival) }.get() }

    func recordEvent(_ event: EventName) throws { try Attempt { try await self.recordEvent(event) }.get() }

    func reset() throws { try Attempt { try await self.reset() }.get() }
}

extension ShopCatalog {
    /// A catalog from the text of its items and its rewards.
    static func of(items: String = "", rewards: String = "") throws -> ShopCatalog {
        try ShopCatalog(json: Data(text(items: items, rewards: rewards).utf8))
    }

    static let goldAndPro = known(
        items: #"""
            {"id":"gold-pack","product":"gold","kind":"nonConsumable","grants":["gold"]},
            {"id":"pro","product":"pro","kind":"subscription","grants":["pro"]}
            """#
    )

    static func text(items: String = "", rewards: String = "") -> String {
        #"{"format":1,"revision":1,"items":[\#(items)],"rewards":[\#(rewards)]}"#
    }

    /// A catalog that is known to be right.
    static func known(items: String, rewards: String = "") -> ShopCatalog {
        do { return try of(items: items, rewards: rewards) } catch { preconditionFailure("\(error)") }
    }
}

/// An app that is in front or isn't.
@MainActor
final class SimulatedActivity: AppActivity {
    private(set) var state = AppActivityState.inactive
    private var change: (@MainActor (AppActivityState) -> Void)?

    func observe(_ change: @escaping @MainActor (AppActivityState) -> Void) { self.change = change }

    /// The person leaves the app.
    func leave() { change(to: .background) }

    /// The person leaves the app, and comes back.
    func becomeActive() {
        for state in [AppActivityState.background, .inactive, .active] { change(to: state) }
    }

    private func change(to state: AppActivityState) {
        self.state = state
        change?(state)
    }
}
