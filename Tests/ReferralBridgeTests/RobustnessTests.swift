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
            let page = try StorePage(base + "?" + query)
            let link = try ReferralLink(page: page, referral: referral)
            let read = try ReferralLink(link.address, for: Fixture.app)
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
