import Foundation
import ReferralBridge
import SimulatedRuntime
import TestSupport
import Testing

/// Links and verdicts against those of the library: what the command writes for random rows is what the library's
/// public functions make of them, one by one.
struct RandomRowsTests {
    private static let tap = Timestamp(milliseconds: 1_795_224_750_690)

    // MARK: Links

    /// A cell as CSV has it, sometimes in quotes without need.
    private static func cell(_ text: String, _ dice: inout SeededGenerator, mayQuote: Bool = true) -> String {
        let needsQuotes = text.utf8.contains { ",\"\n\r".utf8.contains($0) }
        guard needsQuotes || mayQuote && dice.chance(0.05) else { return text }
        return "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// A referrer as the builder's field has it.
    private static func trimmed(_ referrer: String) -> String {
        var scalars = referrer.unicodeScalars[...]
        func isWhite(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { $0 == "\u{FEFF}" || $0 != "\u{85}" && $0.properties.isWhitespace } ?? false
        }
        while isWhite(scalars.first) { scalars.removeFirst() }
        while isWhite(scalars.last) { scalars.removeLast() }
        return String(scalars)
    }

    /// What a row's link must be, with the library; `nil` for a row that is not taken.
    private static func link(_ row: [String: String], page: String, pt: String?, ct: String?) -> String? {
        let parameters = row.filter { $0.key.hasPrefix("param.") && !$0.value.isEmpty }
        func given(_ name: String) -> String? { row[name].flatMap { $0.isEmpty ? nil : $0 } }
        do {
            let referral = try Referral(
                referrer: trimmed(row["referrer"] ?? ""),
                timestamp: tap,
                parameters: Dictionary(uniqueKeysWithValues: parameters.map { (String($0.key.dropFirst(6)), $0.value) })
            )
            let (pt, ct) = (given("pt") ?? pt, given("ct") ?? ct)
            guard (pt == nil) == (ct == nil), !row.values.contains(where: { $0.unicodeScalars.contains("\0") }) else {
                return nil
            }
            var campaign: Campaign?
            if let pt, let ct { campaign = try Campaign(providerToken: pt, campaignToken: ct) }
            let page = try StorePage(given("page") ?? page).with(campaign: campaign)
            return try ReferralLink(page: page, referral: referral).address
        } catch {
            return nil
        }
    }

    @Test("random rows get the links that the library makes", arguments: 0..<samples(6, long: 12))
    func links(seed: Int) throws {
        var dice = SeededGenerator(state: UInt64(seed))
        let page = [
            "https://apps.apple.com/app/id42", "https://apps.apple.com/us/app/x,y/id42?ct=old&l=\"#top,",
            "itms-apps://itunes.apple.com/app/id42?mt=12&&ed=old", "https://apps.apple.com/app/token-of-a-row/id42",
        ][seed % 4]
        let (pt, ct) = [("9", "std"), ("9", nil), (nil, nil)][seed % 3] as (String?, String?)
        var columns = ["ct", "name", "param.b", "param.a", "page", "pt"]
        if seed % 5 == 4 { columns += ["param.é", "param.Z\""] }
        columns = columns.filter { _ in dice.chance(0.6) }.shuffled(using: &dice)
        columns.insert("referrer", at: Int.random(in: 0...columns.count, using: &dice))

        var table = columns.map { Self.cell($0, &dice) }.joined(separator: ",") + "\n"
        var links = table.dropLast() + ",link\n"
        var rejected = 0
        for _ in 0..<1_000 {
            var row: [String: String] = [:]
            for column in columns {
                row[column] =
                    switch column {
                    case "page": dice.chance(0.9) ? "" : "https://apps.apple.com/de/app/id42?x=\(dice.text(longest: 3))"
                    case "pt": dice.chance(0.8) ? "" : "8"
                    case "referrer": dice.chance(0.02) ? "" : dice.text() + "x"
                    default: dice.chance(0.3) ? "" : dice.text()
                    }
            }
            let cells = columns.map { Self.cell(row[$0] ?? "", &dice) }.joined(separator: ",")
            guard !cells.isEmpty else { continue }
            table += cells + "\n"
            // A row without a value stays as it is.
            if row.values.allSatisfy(\.isEmpty) {
                links += cells + ",\n"
                continue
            }
            if let link = Self.link(row, page: page, pt: pt, ct: ct) {
                links += cells + "," + Self.cell(link, &dice, mayQuote: false) + "\n"
            } else {
                rejected += 1
            }
        }
        let options =
            (pt.map { ["--pt", $0] } ?? []) + (ct.map { ["--ct", $0] } ?? []) + ["--jobs", "\(seed % 3 + 1)"]
        let outcome = try Tool.run(
            ["links", "--page", page, "--at", LinksTests.at] + options,
            input: Data(table.utf8)
        )
        #expect(Self.firstDifference(outcome.bytes, Data(links.utf8)) == nil)
        #expect(outcome.status == (rejected > 0 ? 65 : 0))
        // Other lines count the referrers with white space around them, and those that look alike.
        let reports = outcome.complaints.split(separator: "\n").filter { !$0.contains("white space") }
        #expect(reports.count == min(rejected, 20) + (rejected > 20 ? 1 : 0))
    }

    /// The lines of the first place where two texts differ.
    private static func firstDifference(_ one: Data, _ other: Data) -> String? {
        guard one != other else { return nil }
        let lines = zip(one.split(separator: 10), other.split(separator: 10)).first { $0 != $1 }
        return lines.map {
            "\(String(decoding: $0, as: UTF8.self))\nrather than\n\(String(decoding: $1, as: UTF8.self))"
        }
            ?? "\(one.count) bytes rather than \(other.count)"
    }

    // MARK: Verdicts

    @Test("random strings get the verdicts that the library gives", arguments: 0..<samples(3, long: 6))
    func verdicts(seed: Int) throws {
        var dice = SeededGenerator(state: UInt64(seed))
        let scanner = ReferralScanner(appID: 42)
        let page = try StorePage("https://apps.apple.com/us/app/x/id42?mt=8")
        var strings: [String] = []
        for _ in 0..<2_000 {
            let ages = [0, 0, 0, 299_999, 300_000, -30_000, -30_001, 0.5, 1.7e12]
            let tap = Timestamp(milliseconds: Self.tap.milliseconds - (ages.randomElement(using: &dice) ?? 0))
            let count = Int.random(in: 0...3, using: &dice)
            let parameters = Dictionary((0..<count).map { _ in (dice.text(longest: 6), dice.text()) }) { $1 }
            let referral = try? Referral(referrer: dice.text() + "x", timestamp: tap, parameters: parameters)
            guard let referral, let link = try? ReferralLink(page: page, referral: referral) else { continue }
            var string = link.address
            if dice.chance(0.4) {
                string = dice.damaged(string)
            } else if dice.chance(0.2) {
                string = "https://apps.apple.com/app/id42?ed=" + Data(dice.payload().utf8).base64EncodedString()
            }
            strings.append(string)
        }
        let outcome = try Tool.run(
            ["decode", "--each", "--app-id", "42", "--now", LinksTests.at, "--jobs", "2"],
            input: Data(strings.joined(separator: "\n").utf8)
        )
        let expected = strings.map { Self.line(scanner.judge($0, now: Self.tap)) }.joined()
        #expect(Self.firstDifference(outcome.bytes, Data(expected.utf8)) == nil)
    }

    /// A judgment as a line of JSON.
    private static func line(_ judgment: Judgment) -> String {
        let referral = judgment.link?.referral
        let parameters = referral?.parameters.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
        let object = parameters?.map { "\(quoted($0.key)):\(quoted($0.value))" }.joined(separator: ",")
        let time = referral.map { referral in
            Int64(exactly: referral.timestamp.milliseconds).map(String.init) ?? "\(referral.timestamp.milliseconds)"
        }
        return "{\"verdict\":\"\(judgment.verdict)\",\"referrer\":\(referral.map { quoted($0.referrer) } ?? "null")"
            + ",\"timestamp\":\(time ?? "null"),\"parameters\":\(object.map { "{\($0)}" } ?? "null")}\n"
    }

    /// A string in JSON, with nothing raw in it that a terminal would obey.
    private static func quoted(_ text: String) -> String {
        let obeyed: [ClosedRange<UInt32>] = [0...0x1F, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E]
        let characters = text.unicodeScalars.map { scalar in
            if obeyed.contains(where: { $0.contains(scalar.value) }) { return String(format: "\\u%04x", scalar.value) }
            return scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
        }
        return "\"\(characters.joined())\""
    }
}

private extension SeededGenerator {
    mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

    /// Mostly plain text, and each character that is escaped somewhere.
    mutating func text(longest: Int = 30) -> String {
        let plain = Array("abcXYZ019-._~")
        let shown = Array("abc !#$%&'()*+,/:;<=>?@[]^`{|}")
        let odd = Array("\"\\\u{0}\u{1}\t\n\r\u{1B}\u{7F}\u{80}é\u{301}€😀\u{2028}\u{202E}\u{FEFF}")
        let alphabet = [plain, plain, plain, shown, shown + odd].randomElement(using: &self) ?? plain
        let count = Int.random(in: 0...(chance(0.02) ? 1_500 : longest), using: &self)
        return String((0..<count).map { _ in alphabet.randomElement(using: &self) ?? "a" })
    }

    /// What happens to links, and what may be mistaken for one as it is written.
    mutating func damaged(_ link: String) -> String {
        var bytes = Array(link.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &self)
        switch Int.random(in: 0..<7, using: &self) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &self)
        case 2: bytes.insert(contentsOf: "&ed=".utf8, at: place)
        case 3: bytes.insert(contentsOf: "#".utf8, at: place)
        case 4: bytes.append(contentsOf: "&x=1".utf8)
        case 5: bytes.insert(contentsOf: "é".utf8, at: place)
        default: return link.replacing("/id42", with: "/id420")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A payload that nearly is one as it is written.
    mutating func payload() -> String {
        let times = ["1795224750690", "1795224750", "01795224750690", "1795224750690.5", "17952247506900001", "\"1\""]
        let members = [
            "\"timestamp\":\(times.randomElement(using: &self) ?? "")", "\"referrer\":\"x\"", "\"referrer\":\"\"",
            "\"a\":\"1\"", "\"b\":\"2\"", "\"a\":\"3\"", "\"timestamp\":\"4\"", "\"c\":5", "\"timestampx\":\"6\"",
            "\"\":\"7\"", "\"d\" :\"8\"", "\"\\u0061\":\"9\"",
        ]
        let time = chance(0.5) ? "1795224750690" : times.randomElement(using: &self) ?? ""
        let first = ["\"timestamp\":\(time)", "\"referrer\":\"anna\""]
        let count = Int.random(in: 0...4, using: &self)
        let others = (0..<count).map { _ in members.randomElement(using: &self) ?? "" }
        let end = ["}", "}", "}", "", " }", "}x", ",}"].randomElement(using: &self) ?? ""
        return "{" + (chance(0.8) ? first + others : others).joined(separator: ",") + end
    }
}
