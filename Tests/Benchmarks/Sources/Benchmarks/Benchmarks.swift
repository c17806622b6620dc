import Foundation
import ReferralBridge

/// Times the library against the plain way, in turn and in the same run, and prints medians and their ratio.
///
/// With `scan COUNT` it scans a list of that many strings that aren't links, and does nothing else, for a heap profiler to count
/// what that allocates.
@main
enum Benchmarks {
    static let appID: AppID = 1_300_230_302
    static let now = Timestamp(milliseconds: 1_795_224_750_690)
    static let page = "https://apps.apple.com/us/app/trestle-the-new-sudoku/id1300230302?mt=8"
    static let plain = String(repeating: "lorem ipsum ", count: 86).prefix(1_024)

    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "scan", let count = Int(arguments[2]) {
            let result = ReferralScanner(appID: appID).scan(Array(repeating: String(plain), count: count), now: now)
            print(result.judgments.count)
        } else {
            try compare()
            await check()
        }
    }

    static func compare() throws {
        let page = try StorePage(page)
        let links = try (0..<1_000).map { index in
            let tap = Timestamp(milliseconds: now.milliseconds - Double(index))
            return try ReferralLink(page: page, referral: Referral(referrer: "spring-\(index)", timestamp: tap)).address
        }
        let scanner = ReferralScanner(appID: appID)
        let app = appID.description

        row("judging a good link", unit: "links", count: 20_000) {
            var found = 0
            for index in 0..<20_000 where scanner.judge(links[index % 1_000], now: now).link?.referral.referrer != nil {
                found += 1
            }
            return found
        } plain: {
            var found = 0
            for index in 0..<20_000
            where Yardstick.referrer(in: links[index % 1_000], appID: app, now: now.milliseconds) != nil {
                found += 1
            }
            return found
        }

        try row("building a link from a page and a referral", unit: "links", count: 20_000) {
            var links = 0
            for index in 0..<20_000 {
                let tap = Timestamp(milliseconds: now.milliseconds + Double(index))
                let link = try ReferralLink(page: page, referral: Referral(referrer: "spring", timestamp: tap))
                links += link.address.isEmpty ? 0 : 1
            }
            return links
        } plain: {
            var links = 0
            for index in 0..<20_000 {
                let tap = now.milliseconds + Double(index)
                links += Yardstick.link(page: page.address, referrer: "spring", timestamp: tap) == nil ? 0 : 1
            }
            return links
        }

        // Each string has storage of its own, as on a pasteboard.
        let texts = (0..<100_000).map { "\(plain.dropLast(6))\(100_000 + $0)" }
        row("a list of 100,000 strings of 1 kB that aren't links", unit: "strings", count: texts.count) {
            scanner.scan(texts, now: now).judgments.count
        } plain: {
            texts.count { Yardstick.referrer(in: $0, appID: app, now: now.milliseconds) == nil }
        }
    }

    /// Times both ways in turn; both must come to the same figure.
    static func row(
        _ name: String,
        unit: String,
        count: Int,
        ours: () throws -> Int,
        plain: () throws -> Int
    ) rethrows {
        var times: [(ours: Double, plain: Double)] = []
        for run in 0...7 {
            let (ourTime, ourFigure) = try time(ours)
            let (plainTime, plainFigure) = try time(plain)
            precondition(ourFigure == plainFigure, "\(name): \(ourFigure) and \(plainFigure)")
            if run > 0 { times.append((ourTime, plainTime)) }  // the first run warms up
        }
        let ours = median(times.map(\.ours))
        let plain = median(times.map(\.plain))
        let ratio = median(times.map { $0.plain / $0.ours })
        print(name)
        print(
            "  ReferralBridge \(rate(count, ours)) \(unit)/s, the plain way \(rate(count, plain)) \(unit)/s:",
            terminator: " "
        )
        print("\(ratio.formatted(.number.precision(.fractionLength(ratio < 100 ? 1 : 0)))) times")
    }

    static func time(_ body: () throws -> Int) rethrows -> (seconds: Double, figure: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        let figure = try body()
        let duration = clock.now - start
        return (Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18, figure)
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    static func rate(_ count: Int, _ seconds: Double) -> String {
        (Double(count) / seconds).formatted(.number.precision(.significantDigits(3)))
    }
}
