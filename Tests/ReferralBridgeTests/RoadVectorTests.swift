import Foundation
import ReferralSigning
import TestSupport
import Testing

@testable import ReferralAppSupport
@testable import ReferralBridge

/// The rules for roads as data: addresses that opened the app, what an App Clip has left, and destinations.
struct RoadVectorTests {
    private static let vectors = TestSupport.vectors("roads", as: RoadVectors.self)

    @Test("an address that opened the app, or that was pasted", arguments: vectors.opened)
    @MainActor
    func opened(_ vector: RoadVectors.Opened) async throws {
        final class Now: @unchecked Sendable { var moment = Timestamp(milliseconds: 0) }
        let now = Now()
        let reported = vector.reportedTimestamp.map(Timestamp.init(milliseconds:))
        let address = vector.address.text
        var scanner = try scanner(vector.appID, vector.signers)
        scanner.landingPages = vector.landingPages.compactMap(\.page)
        let bridge = AppStoreBridge(
            scanner: scanner,
            pasteboard: InMemoryPasteboard([]),
            ledger: try InMemoryLedger(LedgerRecord(reported: ReportedTaps(last: reported))),
            clock: DeviceClock(now: { now.moment })
        )
        bridge.onArrival = { _ in }
        for earlier in vector.earlier ?? [] {
            now.moment = Timestamp(milliseconds: earlier.at)
            bridge.handle(try #require(URL(string: earlier.address)))
        }
        now.moment = Timestamp(milliseconds: vector.now)

        let outcome: AppStoreBridge.Outcome
        switch vector.road {
        case "pasteButton": outcome = bridge.handlePaste([address])
        case "pasteboard":
            let result = scanner.scan([address], now: now.moment, lastReported: reported)
            outcome = result.arrival.map { .found($0) } ?? .noReferral(result)
        default:
            guard let url = URL(string: address), url.absoluteString == address else {
                // No URL has this text, so only the scanner can judge it.
                let judgment = scanner.judge(address, on: .opened, now: now.moment, lastReported: reported)
                #expect(judgment.verdict.rawValue == vector.verdict)
                #expect(found(judgment.verdict == .found ? judgment.arrival : nil) == vector.found)
                return
            }
            outcome = bridge.handle(url)
        }
        #expect(verdict(outcome) == vector.verdict)
        #expect(found(outcome.arrival) == vector.found)
        if let road = vector.road, let arrival = outcome.arrival { #expect(arrival.road.rawValue == road) }
    }

    @Test("what Google Play passes to an app on Android", arguments: vectors.play)
    func play(_ vector: RoadVectors.Play) {
        let scanner = ReferralScanner(appID: 1, window: AttributionWindow(duration: .infinity))
        let judgment = scanner.judge(
            playText: vector.text.text,
            now: Timestamp(milliseconds: vector.now),
            lastReported: vector.reportedTimestamp.map(Timestamp.init(milliseconds:))
        )
        #expect(judgment.verdict.rawValue == vector.verdict)
        let referral = judgment.verdict == .found ? judgment.arrival?.referral : nil
        #expect(referral?.referrer == vector.found?.referrer)
        #expect(referral?.timestamp.milliseconds == vector.found?.timestamp)
        #expect(referral?.parameters == vector.found?.parameters)
    }

    @Test("what an App Clip has left", arguments: vectors.clip)
    @MainActor
    func clip(_ vector: RoadVectors.Clip) async throws {
        let group = FileManager.default.temporaryDirectory.appendingPathComponent("clip-\(UUID().uuidString)")
        let file = group.appendingPathComponent("ReferralBridge/clip.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(at: group) }
        try vector.data.write(to: file)

        var scanner = try scanner(vector.appID, vector.signers)
        scanner.landingPages = vector.landingPages.compactMap(\.page)
        let reported = (vector.reported ?? []).map {
            ClipInvocation(
                opened: Timestamp(milliseconds: $0.opened),
                digest: SHA256.digest(Array($0.address.text.utf8)).hexadecimal
            )
        }
        let now = Timestamp(milliseconds: vector.now)
        let bridge = AppStoreBridge(
            scanner: scanner,
            pasteboard: InMemoryPasteboard([]),
            ledger: try InMemoryLedger(LedgerRecord(reportedInvocations: reported)),
            clock: DeviceClock(now: { now })
        )
        bridge.clipHandover = ClipHandover(group: group)
        bridge.onArrival = { _ in }

        var outcomes: [AppStoreBridge.Outcome] = []
        bridge.onOutcome = { outcomes.append($0) }
        await bridge.checkForReferralLinks()
        let outcome = try #require(outcomes.first)
        if case .readFailed(let failure) = outcome {
            #expect((failure.underlyingError as? ClipProblem).map(name) == vector.ignored)
        } else {
            #expect(vector.ignored == nil)
            #expect(verdict(outcome) == vector.verdict)
        }
        #expect(found(outcome.arrival) == vector.found)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a destination", arguments: vectors.destinations)
    func destination(_ vector: RoadVectors.Destination) throws {
        #expect(Destination.checked(vector.value) == vector.destination)
    }

    private func scanner(_ appID: String, _ signers: [String]?) throws -> ReferralScanner {
        try ReferralScanner(
            appID: try #require(AppID(appID)),
            signers: (signers ?? []).map { try #require(PublicKey($0)) },
            verifier: makeVerifier()
        )
    }

    private func verdict(_ outcome: AppStoreBridge.Outcome) -> String? {
        switch outcome {
        case .found: "found"
        case .noReferral(let result): result.verdicts.first?.rawValue
        default: nil
        }
    }

    private func found(_ arrival: Arrival?) -> RoadVectors.Found? {
        arrival.map {
            RoadVectors.Found(
                referrer: $0.referrer,
                timestamp: $0.timestamp.milliseconds,
                parameters: $0.parameters,
                destination: $0.destination,
                isSigned: $0.isSigned
            )
        }
    }

    private func name(of problem: ClipProblem) -> String {
        switch problem {
        case .tooLarge: "tooLarge"
        case .notJSON: "notJSON"
        case .otherFormat: "otherFormat"
        case .malformed: "malformed"
        case .fromTheFuture: "fromTheFuture"
        }
    }
}

struct RoadVectors: Decodable {
    /// A text, or a prefix with something repeated after it.
    struct Text: Decodable {
        let text: String

        private enum CodingKeys: String, CodingKey { case prefix, `repeat`, times, suffix }

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            let parts = try decoder.container(keyedBy: CodingKeys.self)
            let repeated = try parts.decode(String.self, forKey: .repeat)
            text =
                try parts.decode(String.self, forKey: .prefix)
                + String(repeating: repeated, count: parts.decode(Int.self, forKey: .times))
                + parts.decode(String.self, forKey: .suffix)
        }
    }

    struct Page: Decodable {
        let address: String
        let referrerItem: String?
        let referrer: String?
        let parameters: [String: String]?
        let parameterItems: [String]?
        let opensPath: Bool?

        var page: LandingPage? {
            guard var page = LandingPage(address: address) else { return nil }
            page.referrerItem = referrerItem ?? "ref"
            page.referrer = referrer
            page.parameters = parameters ?? [:]
            page.parameterItems = parameterItems ?? []
            page.opensPath = opensPath ?? false
            return page
        }
    }

    struct Found: Decodable, Equatable {
        let referrer: String
        let timestamp: Double
        let parameters: [String: String]
        let destination: String?
        let isSigned: Bool?
    }

    struct Play: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let now: Double
        let reportedTimestamp: Double?
        let text: Text
        let verdict: String
        let found: Found?

        var testDescription: String { name }
    }

    struct Opened: Decodable, Sendable, CustomTestStringConvertible {
        struct Earlier: Decodable {
            let address: String
            let at: Double
        }

        let name: String
        let appID: String
        let now: Double
        let landingPages: [Page]
        let signers: [String]?
        let reportedTimestamp: Double?
        let earlier: [Earlier]?
        let road: String?
        let address: Text
        let verdict: String
        let found: Found?

        var testDescription: String { name }
    }

    struct Clip: Decodable, Sendable, CustomTestStringConvertible {
        struct Reported: Decodable {
            let address: Text
            let opened: Double
        }

        let name: String
        let appID: String
        let now: Double
        let landingPages: [Page]
        let signers: [String]?
        let reported: [Reported]?
        let text: Text?
        let base64: String?
        let padTo: Int?
        let ignored: String?
        let verdict: String?
        let found: Found?

        /// The contents of the file.
        var data: Data {
            var data = text.map { Data($0.text.utf8) } ?? base64.flatMap { Data(base64Encoded: $0) } ?? Data()
            if let padTo { data += Data(repeating: 0x20, count: max(0, padTo - data.count)) }
            return data
        }

        var testDescription: String { name }
    }

    struct Destination: Decodable, Sendable, CustomTestStringConvertible {
        let value: String
        let destination: String?

        var testDescription: String { value }
    }

    let opened: [Opened]
    let clip: [Clip]
    let destinations: [Destination]
    let play: [Play]
}
