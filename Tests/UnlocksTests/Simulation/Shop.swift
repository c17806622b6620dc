import Foundation
import ReferralBridge
import Simulation
import Unlocks

/// An app with a shop, on a device that it is launched on again and again.
@MainActor
final class Shop {
    let store = SimulatedStore()
    let storage = MemoryStorage()
    private(set) var unlocks: Unlocks?
    /// The moment on the device's clock.
    var now = Timestamp(milliseconds: 1_795_219_200_000)
    var catalogue: Catalogue
    var context = ShopContext(appVersion: "3.0", platform: .iOS, languages: ["en"])
    var paidBefore: PaidBefore?
    /// Whether the app is in front, and whether its files can be read.
    let activity = SimulatedActivity()
    let protectedData = SimulatedProtectedData()
    var deliver: Unlocks.Deliver = { _ in }
    private(set) var problems: [UnlocksProblem] = []
    /// What was delivered, in order.
    private(set) var deliveries: [Delivery] = []
    private var sleepers: [(end: Timestamp, continuation: CheckedContinuation<Void, Never>)] = []

    init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// Runs a test at once and in one order.
    static func run(_ catalogue: Catalogue, _ test: @escaping @MainActor (Shop) throws -> Void) throws {
        var result: Result<Void, any Error> = .success(())
        var hasRun = false
        JobQueue.run {
            let shop = Shop(catalogue)
            result = Result { try test(shop) }
            shop.end()
            hasRun = true
        }
        precondition(hasRun)
        try result.get()
    }

    /// Ends the app without a word, if it runs, and launches it.
    func launch() throws {
        let unlocks = try makeUnlocks()
        unlocks.start()
        JobQueue.drain()
    }

    /// Ends the app without a word, if it runs, and launches one that doesn't start its shop.
    func makeUnlocks() throws -> Unlocks {
        end()
        storage.hasEnded = false
        let clock = BridgeClock(
            now: { [unowned self] in now },
            sleep: { [weak self] seconds in await self?.sleep(seconds) }
        )
        let unlocks = try Unlocks(
            store: store,
            catalogue: catalogue,
            storage: storage,
            context: context,
            paidBefore: paidBefore,
            appIdentifier: "com.example.trestle",
            clock: clock,
            activity: activity,
            protectedData: protectedData
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

    /// The state of an unlock; `nil` if the app doesn't run.
    func state(_ unlock: String) -> UnlockState? { unlocks?.state(of: unlock) }

    /// Ends the app without a word.
    func end() {
        storage.hasEnded = true
        store.disconnect()
        unlocks = nil
        wake { _ in true }
        JobQueue.drain()
    }

    /// Lets time pass, and what is due happen.
    func wait(_ seconds: Double) {
        JobQueue.drain()
        let end = now.advanced(by: seconds)
        var wakings = 0
        while let next = sleepers.map(\.end).min(), next <= end {
            wakings += 1
            precondition(wakings < 10_000, "the app wakes up again and again")
            now = max(now, next)
            wake { $0 <= next }
            JobQueue.drain()
        }
        now = end
    }

    private func sleep(_ seconds: Double) async {
        let end = now.advanced(by: seconds)
        await withCheckedContinuation { sleepers.append((end, $0)) }
    }

    private func wake(_ isDue: (Timestamp) -> Bool) {
        let due = sleepers.filter { isDue($0.end) }
        sleepers.removeAll { isDue($0.end) }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

extension Catalogue {
    /// A catalogue from the text of its items and its rewards.
    static func of(items: String = "", rewards: String = "") throws -> Catalogue {
        try Catalogue(json: Data(#"{"format":1,"revision":1,"items":[\#(items)],"rewards":[\#(rewards)]}"#.utf8))
    }

    /// A catalogue that is known to be right.
    static func known(items: String, rewards: String = "") -> Catalogue {
        do { return try of(items: items, rewards: rewards) } catch { preconditionFailure("\(error)") }
    }
}

/// An app that is in front or isn't.
@MainActor
final class SimulatedActivity: AppActivity {
    private(set) var state = AppState.inactive
    private var change: (@MainActor (AppState) -> Void)?

    func observe(_ change: @escaping @MainActor (AppState) -> Void) { self.change = change }

    /// The person leaves the app.
    func leave() { change(to: .background) }

    /// The person leaves the app, and comes back.
    func becomeActive() {
        for state in [AppState.background, .inactive, .active] { change(to: state) }
    }

    private func change(to state: AppState) {
        self.state = state
        change?(state)
    }
}

/// A device that is locked or isn't.
@MainActor
final class SimulatedProtectedData: ProtectedData {
    var isAvailable = true { didSet { if isAvailable { change?() } } }
    private var change: (@MainActor () -> Void)?

    func observe(_ change: @escaping @MainActor () -> Void) { self.change = change }
}
