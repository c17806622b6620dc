// Phones with the library, thousands of them in one process. Each line of standard input is what happens on one of them:
//
//     {"sends":true,"steps":[{"road":"pasteboard","at":1790812800000,"tap":1790812790000,"referrer":"anna"},{"event":"first-purchase","at":…}]}
//
// For each that sends its counts, a line is printed: the export of its `ArrivalCounts`.

import Foundation
import ReferralBridge

struct Phone: Decodable {
    struct Step: Decodable {
        var at: Double
        var road: String?
        var tap: Double?
        var referrer: String?
        var event: String?
    }

    var sends: Bool
    var steps: [Step]
}

/// A clipboard of which the person may be asked.
struct Clipboard: Pasteboard {
    var strings: [String]
    var isDeclined: Bool

    func mayHoldLink() async -> Bool { !strings.isEmpty }
    func contents() async -> PasteboardContents { PasteboardContents(strings: isDeclined ? [] : strings) }
}

@MainActor
final class Time {
    var now = Timestamp(milliseconds: 0)
}

@MainActor
func run(_ phone: Phone) async throws -> String {
    let time = Time()
    let clock = DeviceClock(now: { MainActor.assumeIsolated { time.now } })
    let counts = ArrivalCounts(appID: 1_300_230_302, storage: InMemoryLedger(), clock: clock)
    let ledger = InMemoryLedger()
    for step in phone.steps {
        time.now = Timestamp(milliseconds: step.at)
        guard let road = step.road else {
            if let event = step.event { counts.record(event: event) }
            continue
        }
        let name = step.referrer ?? ""
        var link = ""
        if let tap = step.tap {
            let referral = try Referral(referrer: name, timestamp: Timestamp(milliseconds: tap))
            link = try ReferralLink(page: StorePage(appID: 1_300_230_302), referral: referral).address
        }
        // Each step is a launch.
        var scanner = ReferralScanner(appID: 1_300_230_302)
        scanner.landingPages = [LandingPage("https://example.com/get")]
        let clipboard = Clipboard(strings: road == "organic" ? [] : [link], isDeclined: road == "declined")
        let bridge = AppStoreBridge(scanner: scanner, pasteboard: clipboard, ledger: ledger, clock: clock)
        bridge.onArrival = { _ in }
        counts.observe(bridge)
        switch road {
        case "opened":
            var address = URLComponents()
            (address.scheme, address.host, address.path) = ("https", "example.com", "/get")
            address.queryItems = [URLQueryItem(name: "via", value: name)]
            if let url = address.url { bridge.handle(url) }
        case "pasteButton": bridge.handlePaste([link])
        case "typed":
            counts.record(Arrival(try Referral(referrer: name, timestamp: time.now), road: .typed))
        default: await bridge.checkForReferralLinks()
        }
    }
    return try counts.export()
}

while let line = readLine() {
    let phone = try JSONDecoder().decode(Phone.self, from: Data(line.utf8))
    let export = try await run(phone)
    if phone.sends { print(export) }
}
