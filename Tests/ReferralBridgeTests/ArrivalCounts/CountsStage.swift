import Foundation
import TestSupport
import Testing

@testable import ReferralBridge

/// A launch of an app that counts: what lasts is passed on to the next launch.
@MainActor
final class CountsStage {
    let clock: TestClock
    let storage: FaultyStorage
    let ledger: FaultyStorage
    let counts: ArrivalCounts
    let bridge: AppStoreBridge
    private(set) var failures: [String] = []

    init(
        _ strings: [String] = [],
        after earlier: CountsStage? = nil,
        keepsReferrers: Bool = true,
        keepsCodes: Bool = false
    ) {
        clock = earlier?.clock ?? TestClock(Fixture.now)
        storage = earlier?.storage ?? FaultyStorage()
        ledger = earlier?.ledger ?? FaultyStorage()
        counts = ArrivalCounts(
            appID: Fixture.app,
            storage: storage,
            keepsReferrers: keepsReferrers,
            keepsCodes: keepsCodes,
            clock: clock.clock
        )
        var scanner = ReferralScanner(appID: Fixture.app)
        scanner.landingPages = [LandingPage("https://example.com/get")]
        bridge = AppStoreBridge(
            scanner: scanner,
            pasteboard: InMemoryPasteboard(strings),
            ledger: ledger,
            clock: clock.clock
        )
        bridge.attributionPolicy = .everyone
        bridge.timeLimit = 600
        bridge.onArrival = { _ in }
        counts.onFailure = { [weak self] error in self?.failures.append("\(error)") }
        counts.observe(bridge)
    }

    /// The rows of the export, each as words in one line.
    var rows: [String] {
        get throws { try export().rows.map(\.words) }
    }

    func export() throws -> CountsRecord {
        try JSONDecoder().decode(CountsRecord.self, from: Data(counts.export().utf8))
    }

    /// An address opens the app, so many milliseconds later.
    func open(_ referrer: String, after milliseconds: Double = 1) throws {
        clock.milliseconds += milliseconds
        var address = URLComponents()
        (address.scheme, address.host, address.path) = ("https", "example.com", "/get")
        address.queryItems = [URLQueryItem(name: "via", value: referrer)]
        bridge.handle(try #require(address.url))
    }

    /// Lets days pass.
    func wait(days: Double) { clock.milliseconds += days * 86_400_000 }
}

extension CountsRow {
    var words: String {
        ([day, road?.rawValue, outcome, event, referrer, group.map { "(\($0))" }].compactMap(\.self) + ["\(count)"])
            .joined(separator: " ")
    }
}

/// A ledger in memory that fails when a test says so.
@MainActor
final class FaultyStorage: ReferralLedger {
    var data: Data?
    var loadFailure: (any Error)?
    var saveFailure: (any Error)?

    nonisolated init() {}

    func load() throws -> Data? {
        if let loadFailure { throw loadFailure }
        return data
    }

    func save(_ data: Data) throws {
        if let saveFailure { throw saveFailure }
        self.data = data
    }
}

/// An App Clip that has left something.
final class LeftByClip: ClipStorage {
    private let text: String
    init(_ text: String) { self.text = text }
    func read() async throws -> [UInt8]? { Array(text.utf8) }
    func remove() async {}
}
