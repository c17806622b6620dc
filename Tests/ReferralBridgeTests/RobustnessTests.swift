import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

struct RobustnessTests {
    private static let alphabet: [Character] = Array("ab012/?&#=%:@. +-_{}[]\",\\éß😀\u{0}\n\u{301}\u{2028}") + ["\r\n"]

    private static func text(using generator: inout SeededGenerator, upTo length: Int) -> String {
        String(
            (0..<Int.random(in: 0...length, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
        )
    }

    private struct Tap: Decodable { let timestamp: Double }

    @Test("what is written reads back", arguments: 0..<4)
    func roundTrip(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        for _ in 0..<samples(250, long: 2_000) {
            let names = (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.text(using: &generator, upTo: 6)
            }
            let parameters = Dictionary(names.map { ($0, Self.text(using: &generator, upTo: 9)) }) { $1 }
            let referrer = "x" + Self.text(using: &generator, upTo: 20)
            let milliseconds = Double.random(in: 1e11..<1e16, using: &generator)
            let referral = try Referral(
                referrer: referrer,
                timestamp: Timestamp(
                    milliseconds: Bool.random(using: &generator) ? milliseconds.rounded(.down) : milliseconds
                ),
                parameters: parameters
            )
            let base = "https://apps.apple.com/app/id1300230302"
            let query = Self.text(using: &generator, upTo: 12).filter { !$0.isNewline && $0 != "\0" }
            let page = try StorePage(parsing: base + "?" + query)
            let link = try ReferralLink(page: page, referral: referral)
            let read = try ReferralLink(parsing: link.address, for: Fixture.app)
            #expect(read == link)
            #expect(read.referral.payload == referral.payload)

            // The JSON is what any other reader takes it for.
            let object = try JSONSerialization.jsonObject(with: Data(referral.payload.utf8)) as? [String: Any]
            #expect(object?["referrer"] as? String == referrer)
            // JSONSerialization rounds some fractions to a neighbouring double; JSONDecoder does not.
            #expect(
                try JSONDecoder().decode(Tap.self, from: Data(referral.payload.utf8)).timestamp
                    == read.referral.timestamp.milliseconds
            )
            #expect(object?.compactMapValues { $0 as? String }.filter { $0.key != "referrer" } == parameters)
        }
    }

    @Test("no string stops a scan: links with bytes changed, put in, left out and doubled", arguments: 0..<4)
    func mutations(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let seeds = try readVectors("decode", as: DecodeVectors.self).cases.flatMap(\.strings).filter {
            $0.utf8.count < 400
        }
        #expect(seeds.count > 60)
        let scanner = ReferralScanner(appID: Fixture.app, additionalHosts: ["trestle.example"])
        var seen: Set<Verdict> = []
        for _ in 0..<samples(4_000, long: 10_000) {
            let string = try mutated(#require(seeds.randomElement(using: &generator)), using: &generator)
            let judgment = scanner.judge(string, now: Fixture.now)
            seen.insert(judgment.verdict)
            #expect(scanner.scan([string, "x"], now: Fixture.now).judgments[0] == judgment)
            if let referral = judgment.link?.referral {
                // Whatever we take for a referral is one to Foundation's parser too.
                let object = try? JSONSerialization.jsonObject(with: Data(referral.payload.utf8)) as? [String: Any]
                #expect(object?["referrer"] is String, "\(referral.payload)")
            }
        }
        #expect(
            seen.isSuperset(of: [
                .notALink, .wrongApp, .noPayload, .malformedPayload, .fromTheFuture, .expired, .found,
            ]),
            "the mutations reach every rule"
        )
    }

    /// Changes bytes of the link, or of the JSON inside of it.
    private func mutated(_ link: String, using generator: inout SeededGenerator) -> String {
        if Bool.random(using: &generator), let ed = link.range(of: "ed="),
            let json = Data(base64Encoded: String(link[ed.upperBound...]) + String(repeating: "=", count: 3))
                ?? Data(base64Encoded: padded(link[ed.upperBound...]))
        {
            let changed = changed(Array(json), using: &generator)
            return link[..<ed.upperBound] + Data(changed).base64EncodedString()
        }
        return String(decoding: changed(Array(link.utf8), using: &generator), as: UTF8.self)
    }

    private func padded(_ base64: Substring) -> String {
        base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    }

    private func changed(_ original: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(contentsOf: bytes[place..<min(place + 8, bytes.count)], at: place)
            default: bytes[place] = "&=?#%/:@{}[]\",\\ 09eE+-.".utf8.randomElement(using: &generator) ?? 0
            }
        }
        return bytes
    }

    @Test("a megabyte of combining marks on the pasteboard costs as much as any other text")
    func combiningMarks() {
        // Marks of two combining classes in turn. If Swift compared or hashed them, it would take minutes.
        let marks = "https://apps.apple.com/" + String(repeating: "\u{301}\u{323}", count: 250_000)
        #expect(PasteboardContents(strings: [marks, "a", marks, "a", "b"]).strings == ["a", "b"])
        // Nor are two texts of different bytes one.
        #expect(PasteboardContents(strings: ["caf\u{E9}", "cafe\u{301}"]).strings.count == 2)
        let longest = String(repeating: " ", count: 65_536) + String(repeating: "x", count: 65_536)
        #expect(PasteboardContents(strings: [longest, longest + " "]).strings == [longest])
    }
}
