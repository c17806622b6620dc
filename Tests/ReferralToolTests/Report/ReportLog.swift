import Foundation
import Testing

/// Lines of access logs, and reports of them.
struct ReportLog {
    static let phone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1"

    /// A line of the Combined format.
    static func line(
        _ target: String,
        at time: String = "01/Oct/2026:09:30:00 +0000",
        client: String = "203.0.113.7",
        method: String = "GET",
        status: Int = 200,
        agent: String = phone
    ) -> String {
        "\(client) - - [\(time)] \"\(method) \(target) HTTP/1.1\" \(status) 512 \"-\" \"\(agent)\"\n"
    }

    /// A report in JSON.
    struct Report: Decodable {
        struct Figures: Decodable {
            var opened, openedCounted, tapped, copied, made, arrived, invited, thanked: Int?
            var appStoreViews, appStoreDownloads, playVisitors, playInstalls: Int?
            var events: [String: Int]?
        }

        struct Row: Decodable {
            var referrer, campaign, group, label, day: String?
            var counts, countsAfter: Figures?
        }

        var lines: [String: Int]
        var sources: [String: Int]
        var notLines: [String]
        var leftOut: [String: Int]
        var totals: Row
        var referrers: [Row]
        var campaigns: [Row]
        var outcomes: [String: [String: [String: Int]]]

        /// The numbers for a referrer.
        subscript(referrer: String) -> Figures? { referrers.first { $0.referrer == referrer }?.counts }

        func group(_ name: String) -> Figures? { referrers.first { $0.group == name }?.counts }

        var total: Figures { totals.counts ?? Figures() }
    }

    /// The report of a text on standard input.
    static func report(_ text: String, _ options: String...) throws -> Report {
        try report(Data(text.utf8), options)
    }

    static func report(_ data: Data, _ options: [String] = []) throws -> Report {
        let outcome = try Tool.run(["report", "--json", "-"] + options + ["--log", "-"], input: data)
        #expect(outcome.status == 0, "\(outcome.error)")
        return try JSONDecoder().decode(Report.self, from: outcome.bytes)
    }

    /// The report of a file, recognized by its content.
    static func report(file: Data, _ options: [String] = []) throws -> (report: Report, notes: String) {
        let outcome = try Tool.run(["report", "--json", "-"] + options + ["-"], input: file)
        try #require(outcome.status == 0, "\(outcome.error)")
        return (try JSONDecoder().decode(Report.self, from: outcome.bytes), outcome.error)
    }
}
